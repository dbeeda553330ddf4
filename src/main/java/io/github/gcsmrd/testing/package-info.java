// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * An embedded storage server for tests: {@link io.github.gcsmrd.testing.FakeGcs}, its objects, its
 * scripted faults and its records of what it received.
 */
@NullMarked
package io.github.gcsmrd.testing;

import org.jspecify.annotations.NullMarked;
