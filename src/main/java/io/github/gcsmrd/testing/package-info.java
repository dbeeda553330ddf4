// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * A server inside the test's own process that speaks the reading part of the storage service's
 * protocol and does what it is told: for tests of code that uses this library, without a network.
 */
@NullMarked
package io.github.gcsmrd.testing;

import org.jspecify.annotations.NullMarked;
