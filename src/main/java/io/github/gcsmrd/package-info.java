// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * Reads many byte ranges of a Google Cloud Storage object over one stream, each byte verified
 * before it is handed out.
 *
 * <p>A {@code GcsClient} holds connections and memory, a {@code MultiRangeDownloader} reads one
 * object, and a {@code RangeRequest} says which bytes go where. No type of gRPC, Netty, protobuf or
 * Guava is part of this package's signatures. Nothing is null unless it says {@code @Nullable}.
 */
@NullMarked
package io.github.gcsmrd;

import org.jspecify.annotations.NullMarked;
