// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/**
 * The facts by which the end of a stream is judged. Immutable.
 *
 * @param end how it ended
 * @param answered whether the server had answered anything on it
 * @param openedWithHandle whether it was opened with a read handle
 * @param askedRanges how many ranges were asked for on it when it ended
 * @param failedRanges how many of them its error details failed
 * @param pending whether anything waits still: ranges, or the open itself
 */
record EndedStream(
    StreamEnd end,
    boolean answered,
    boolean openedWithHandle,
    int askedRanges,
    int failedRanges,
    boolean pending) {}
