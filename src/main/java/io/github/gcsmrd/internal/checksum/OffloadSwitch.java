// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether large chunks are hashed off the loop: looked up for each, so that an application can opt
 * in after start. Thread-safe.
 *
 * <p>The client's setting wins over the system property, which wins over the environment. {@code
 * 1}, {@code true}, {@code yes} and {@code on} in any case mean on; unset, empty, {@code 0}, {@code
 * false}, {@code no} and {@code off} mean off; anything else is off, with one warning.
 */
public final class OffloadSwitch {
  /** The environment variable. */
  public static final String VARIABLE = "GCS_CLIENT_CRC32C_OFFLOAD";

  /** The system property. */
  public static final String PROPERTY = "gcs.client.crc32c.offload";

  /** Chunks from this size on are hashed off the loop; fixed. */
  public static final int THRESHOLD_BYTES = 1 << 20;

  private static final System.Logger LOG = System.getLogger(OffloadSwitch.class.getName());

  private final boolean byEnvironment;
  private final Supplier<@Nullable String> property;
  private volatile Optional<Boolean> setting;
  private volatile Parsed parsed = new Parsed("", false);

  /** A value of the property and what it means: parsed once, not for each chunk. */
  private record Parsed(String text, boolean on) {}

  /**
   * A switch.
   *
   * @param environment the process' environment, a snapshot
   * @param setting the client's setting, if there is one
   */
  public OffloadSwitch(Map<String, String> environment, Optional<Boolean> setting) {
    this(environment, setting, () -> System.getProperty(PROPERTY));
  }

  OffloadSwitch(
      Map<String, String> environment,
      Optional<Boolean> setting,
      Supplier<@Nullable String> property) {
    this.setting = setting;
    this.property = property;
    this.byEnvironment = parse(VARIABLE, environment.getOrDefault(VARIABLE, ""));
  }

  /** Changes the client's setting; it holds from the next chunk on. */
  public void set(boolean on) {
    setting = Optional.of(on);
  }

  /** Whether a large chunk that arrives now is hashed off the loop. */
  public boolean isOn() {
    Optional<Boolean> set = setting;
    if (set.isPresent()) {
      return set.get();
    }
    String text = property.get();
    if (text == null) {
      return byEnvironment;
    }
    Parsed known = parsed;
    if (!known.text().equals(text)) {
      known = new Parsed(text, parse(PROPERTY, text));
      parsed = known;
    }
    return known.on();
  }

  private static boolean parse(String name, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes", "on" -> true;
      case "", "0", "false", "no", "off" -> false;
      default -> {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0} is ''{1}'', neither on nor off: CRC32C stays on the event loop",
            name,
            text);
        yield false;
      }
    };
  }
}
