// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * One stream on its event loop, and the seams to the transport below it: {@code StreamTransport}
 * opens calls, {@code StreamListener} hears of them, {@code Loop} is where both run. Nothing here
 * names a type of gRPC.
 */
@NullMarked
package io.github.gcsmrd.internal.stream;

import org.jspecify.annotations.NullMarked;
