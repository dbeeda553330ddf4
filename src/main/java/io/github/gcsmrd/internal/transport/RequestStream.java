// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An encoded request as gRPC's framer wants it. Confined to the call that sends it.
 *
 * <p>The known length lets the framer allocate once, and draining writes the array straight into
 * its buffer: the one copy there is.
 */
final class RequestStream extends ByteArrayInputStream implements Drainable, KnownLength {

  RequestStream(byte[] encodedRequest) {
    super(encodedRequest);
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int drained = count - pos;
    target.write(buf, pos, drained);
    pos = count;
    return drained;
  }
}
