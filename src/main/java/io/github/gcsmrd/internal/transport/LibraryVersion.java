// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

/** The versions that the headers of a call tell. Stateless and thread-safe. */
final class LibraryVersion {
  private static final String UNPACKED = "dev";

  private LibraryVersion() {}

  /** This library's version, by the manifest of its jar. */
  static String ownVersion() {
    return versionOf(LibraryVersion.class);
  }

  /** The version of gRPC, by the manifest of its jar. */
  static String grpcVersion() {
    return versionOf(io.grpc.ManagedChannel.class);
  }

  /** The version of the running Java, for a header: the characters of a token only. */
  static String javaVersion() {
    return System.getProperty("java.version", "unknown").replaceAll("[^0-9A-Za-z._+-]", "_");
  }

  private static String versionOf(Class<?> type) {
    String version = type.getPackage().getImplementationVersion();
    return version == null ? UNPACKED : version;
  }
}
