// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/**
 * Bytes that are no valid {@code BidiReadObjectResponse}. Immutable; its buffers were released
 * before it was made.
 *
 * @param reason what is wrong and where, for the error's text
 */
public record MalformedResponse(String reason) implements Response {
  @Override
  public void close() {}
}
