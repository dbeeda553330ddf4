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

  private final String environment;
  private final Supplier<@Nullable String> property;
  private volatile Optional<Boolean> setting;
  private volatile Parsed parsed = new Parsed("", "", false);

  /** A value that counted last and what it means: parsed, and warned of, once for many chunks. */
  private record Parsed(String name, String text, boolean on) {
    boolean isOf(String name, String text) {
      return this.text.equals(text) && this.name.equals(name);
    }
  }

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
    this.environment = environment.getOrDefault(VARIABLE, "");
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
    return text == null ? means(VARIABLE, environment) : means(PROPERTY, text);
  }

  private boolean means(String name, String text) {
    Parsed known = parsed;
    return known.isOf(name, text) ? known.on() : parseOnce(name, text);
  }

  /** One of several loops parses a value, and warns. */
  private synchronized boolean parseOnce(String name, String text) {
    if (!parsed.isOf(name, text)) {
      parsed = new Parsed(name, text, parse(name, text));
    }
    return parsed.on();
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
