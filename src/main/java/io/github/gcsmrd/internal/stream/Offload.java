// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;

/**
 * Where large chunks are hashed. Thread-safe; shared by all sessions of a client.
 *
 * @param on whether they leave the loop, looked up for each
 * @param pool where they go then
 */
public record Offload(OffloadSwitch on, HashPool pool) {}
