// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * One stream on its event loop, the set of streams of an object, and the seams to the transport
 * below: {@code StreamTransport} opens calls, {@code StreamListener} hears of them, {@code Loop} is
 * where both run. Nothing here names a type of gRPC.
 *
 * <p>A {@code Session} is an object open over one stream, {@code Connector} keeps that stream, and
 * {@code LiveReads} ends each of its ranges. A {@code StreamSet} is several such sessions of one
 * object; it only decides which range goes where.
 */
@NullMarked
package io.github.gcsmrd.internal.stream;

import org.jspecify.annotations.NullMarked;
