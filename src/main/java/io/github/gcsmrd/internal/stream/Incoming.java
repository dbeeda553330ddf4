// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.wire.RangeData;
import io.github.gcsmrd.internal.wire.ReceivedMessage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Brings each piece of a message to the range that it is for. Confined to the loop. */
final class Incoming {
  private final PendingReads pending;
  private final ConnectorOwner owner;
  private final BooleanSupplier goesOn;

  /**
   * Looks ranges up among the pending ones.
   *
   * @param goesOn whether anybody still wants something: a piece may end all
   */
  Incoming(PendingReads pending, ConnectorOwner owner, BooleanSupplier goesOn) {
    this.pending = pending;
    this.owner = owner;
    this.goesOn = goesOn;
  }

  /** Takes a message; returns what in it breaks the protocol, mostly null. */
  @Nullable String take(ReceivedMessage message) {
    for (int i = 0; i < message.rangeCount() && goesOn.getAsBoolean(); i++) {
      RangeData data = message.range(i);
      if (!data.hasReadRange()) {
        if (data.content().length() > 0 || data.rangeEnd()) {
          return "the server sent " + data.content().length() + " bytes for no range";
        }
        continue;
      }
      RangeRead read = pending.lookup(data.readId());
      if (read == null) {
        pending.strayCame(data.content().length());
      } else {
        owner.onData(read, data, message);
      }
    }
    return null;
  }
}
