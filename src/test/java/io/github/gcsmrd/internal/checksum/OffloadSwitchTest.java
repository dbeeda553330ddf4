// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffloadSwitchTest {
  private final Logger logger = Logger.getLogger(OffloadSwitch.class.getName());
  private final List<String> warnings = new ArrayList<>();
  private final Handler handler = new Recorder();
  private final AtomicReference<String> property = new AtomicReference<>();

  private final class Recorder extends Handler {
    @Override
    public void publish(LogRecord record) {
      warnings.add(record.getLevel() + " " + List.of(record.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  private OffloadSwitch byEnvironment(String value) {
    return new OffloadSwitch(
        Map.of("GCS_CLIENT_CRC32C_OFFLOAD", value), Optional.empty(), property::get);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "yes", "on", "TRUE", "Yes", "oN", " on "})
  void turnsOnBy(String value) {
    assertTrue(byEnvironment(value).isOn());
    property.set(value);
    assertTrue(byEnvironment("").isOn());
    assertEquals(List.of(), warnings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "false", "no", "off", "FALSE", "Off", " "})
  void turnsOffBy(String value) {
    assertFalse(byEnvironment(value).isOn());
    property.set(value);
    assertFalse(byEnvironment("1").isOn(), "the property wins");
    assertEquals(List.of(), warnings);
  }

  @Test
  void isOffByDefault() {
    assertFalse(new OffloadSwitch(Map.of(), Optional.empty(), property::get).isOn());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "enabled", "y", "t", "-1"})
  void anythingElseIsOffWithOneWarning(String value) {
    OffloadSwitch byEnvironment = byEnvironment(value);
    assertEquals(List.of(), warnings, "nobody asked yet");
    for (int i = 0; i < 3; i++) {
      assertFalse(byEnvironment.isOn());
    }
    assertEquals(List.of("WARNING [GCS_CLIENT_CRC32C_OFFLOAD, " + value + "]"), warnings);
    property.set(value);
    for (int i = 0; i < 3; i++) {
      assertFalse(byEnvironment.isOn());
    }
    assertEquals("WARNING [gcs.client.crc32c.offload, " + value + "]", warnings.get(1));
    assertEquals(2, warnings.size());
  }

  @Test
  void aWrongValueThatDoesNotCountIsNotWarnedOf() {
    property.set("on");
    assertTrue(byEnvironment("maybe").isOn());
    assertEquals(List.of(), warnings);
  }

  @Test
  void theSettingWinsOverThePropertyWhichWinsOverTheEnvironment() {
    Map<String, String> environment = Map.of(OffloadSwitch.VARIABLE, "on");
    OffloadSwitch bySetting = new OffloadSwitch(environment, Optional.of(false), property::get);
    assertFalse(bySetting.isOn());
    property.set("on");
    assertFalse(bySetting.isOn());
    property.set("off");
    bySetting.set(true);
    assertTrue(bySetting.isOn());
    OffloadSwitch byProperty = new OffloadSwitch(environment, Optional.empty(), property::get);
    assertFalse(byProperty.isOn());
    property.set(null);
    assertTrue(byProperty.isOn());
  }

  @Test
  void thePropertyIsLookedUpEachTime() {
    OffloadSwitch offload = new OffloadSwitch(Map.of(), Optional.empty());
    String before = System.getProperty(OffloadSwitch.PROPERTY);
    try {
      System.setProperty(OffloadSwitch.PROPERTY, "yes");
      assertTrue(offload.isOn());
      System.setProperty(OffloadSwitch.PROPERTY, "no");
      assertFalse(offload.isOn());
      System.clearProperty(OffloadSwitch.PROPERTY);
      assertFalse(offload.isOn());
    } finally {
      if (before != null) {
        System.setProperty(OffloadSwitch.PROPERTY, before);
      }
    }
  }
}
