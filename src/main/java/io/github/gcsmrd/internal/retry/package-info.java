// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * Whether to try again, when and how often: verdicts on errors, back-off and budgets. Pure
 * decisions; clocks and timers belong to the callers.
 */
@NullMarked
package io.github.gcsmrd.internal.retry;

import org.jspecify.annotations.NullMarked;
