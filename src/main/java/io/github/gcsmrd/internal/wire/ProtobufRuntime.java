// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import com.google.storage.v2.BidiReadObjectRequest;

/**
 * Tells an older protobuf on the class path from one that works, in one clear message instead of a
 * linkage error in the middle of a read. Stateless and thread-safe.
 */
public final class ProtobufRuntime {
  private ProtobufRuntime() {}

  /**
   * Loads the message classes.
   *
   * @throws IllegalStateException if the class path's protobuf doesn't fit them
   */
  public static void require() {
    try {
      BidiReadObjectRequest request = BidiReadObjectRequest.getDefaultInstance();
      if (request.getSerializedSize() != 0) {
        throw new IllegalStateException("an empty request is not empty");
      }
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "the protobuf-java on the class path does not fit: 4.33 or later is needed by"
              + " proto-google-cloud-storage-v2, but another dependency (Spark and Hadoop pin 3.25)"
              + " brings an older one; shade it or align the version",
          e);
    }
  }
}
