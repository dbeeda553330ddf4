// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * The one place where gRPC's types are part of the API: for those who must change its channels.
 * Versions of this library may require another version of gRPC.
 */
@NullMarked
package io.github.gcsmrd.grpc;

import org.jspecify.annotations.NullMarked;
