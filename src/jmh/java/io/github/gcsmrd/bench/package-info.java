// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * Benchmarks that account for the processor time of threads. A {@code Workload} puts load on a
 * {@code Competitor}; {@code Rounds} lets competitors take turns, and compares them.
 */
@NullMarked
package io.github.gcsmrd.bench;

import org.jspecify.annotations.NullMarked;
