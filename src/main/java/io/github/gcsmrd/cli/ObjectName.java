// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import picocli.CommandLine.TypeConversionException;

/**
 * The name of an object. Immutable.
 *
 * @param bucket the bucket's plain name
 * @param object the object's name, which may hold slashes
 */
record ObjectName(String bucket, String object) {
  private static final String SCHEME = "gs://";

  /**
   * Reads {@code gs://BUCKET/OBJECT}.
   *
   * @throws TypeConversionException if it is something else
   */
  static ObjectName parse(String text) {
    int slash = text.indexOf('/', SCHEME.length());
    if (!text.startsWith(SCHEME) || slash <= SCHEME.length() || slash == text.length() - 1) {
      throw new TypeConversionException("'" + text + "' is not gs://BUCKET/OBJECT");
    }
    return new ObjectName(text.substring(SCHEME.length(), slash), text.substring(slash + 1));
  }

  @Override
  public String toString() {
    return SCHEME + bucket + "/" + object;
  }
}
