// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.ObjectInfo;
import java.util.Optional;

/** Makes the sessions of a set of streams. Thread-safe. */
@FunctionalInterface
public interface StreamOpener {
  /**
   * A session that was not started.
   *
   * @param home whether it must be on the home loop, rather than on whatever connection is next
   * @param config what to open
   * @param part its place in the set
   * @param known what is known of the object already
   */
  Session session(boolean home, SessionConfig config, StreamPart part, Optional<ObjectInfo> known);
}
