// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
/**
 * The command line: reads options, drives the public API and prints. Not part of the API; its
 * dependencies are optional.
 */
@NullMarked
package io.github.gcsmrd.cli;

import org.jspecify.annotations.NullMarked;
