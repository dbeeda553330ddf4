// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.concurrent.Executor;

/**
 * What the sessions of a client share. Immutable.
 *
 * @param renewal renews the calls' credentials
 * @param offload where large chunks are hashed
 * @param callbacks completes futures
 * @param blocking runs user code that may block
 */
public record SessionTools(
    CredentialsRenewal renewal, Offload offload, Executor callbacks, Executor blocking) {}
