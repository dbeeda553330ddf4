// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.internal.read.GrowingDestination;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadTableTest {
  private static final int TABLES = 300;
  private static final int OPERATIONS = 400;

  private long sequence;

  private RangeRead read(long id) {
    RangeRead read = new TestRead(ByteRange.of(0, 1), new GrowingDestination(1), true).read();
    read.submitted(sequence++);
    read.ask(id, 0);
    return read;
  }

  @Test
  void itAgreesWithAMapWhateverIsDone() {
    Random seeds = new Random(1);
    for (int i = 0; i < TABLES; i++) {
      long seed = seeds.nextLong();
      try {
        runRandomly(new Random(seed));
      } catch (Throwable e) {
        throw new AssertionError("table of seed " + seed + ": " + e, e);
      }
    }
  }

  private void runRandomly(Random random) {
    ReadTable table = new ReadTable();
    Map<Long, RangeRead> map = new HashMap<>();
    // Few homes and long runs, ids that count up, or ids from all over.
    int kind = random.nextInt(3);
    int crowd = 1 + random.nextInt(100);
    for (int i = 0; i < OPERATIONS; i++) {
      long id = kind == 0 ? 16L * random.nextInt(40) : kind == 1 ? i : random.nextLong();
      operate(table, map, random, id, crowd);
      assertEquals(map.size(), table.size());
    }
    assertArrayEquals(inOrder(map), table.drain());
    assertEquals(0, table.size());
    map.keySet().forEach(id -> assertNull(table.get(id)));
  }

  private void operate(
      ReadTable table, Map<Long, RangeRead> map, Random random, long id, int crowd) {
    int what = random.nextInt(100);
    if (what < 50 && map.size() < crowd) {
      if (!map.containsKey(id)) {
        RangeRead added = read(id);
        map.put(id, added);
        table.add(added);
      }
    } else if (what < 85 && !map.isEmpty()) {
      RangeRead removed = any(map, random);
      map.remove(removed.readId());
      table.remove(removed);
      table.remove(removed);
    } else if (what < 90 && !map.isEmpty()) {
      table.remove(read(any(map, random).readId()));
    } else if (what < 95) {
      assertArrayEquals(inOrder(map), table.snapshot());
    } else if (what == 99) {
      assertArrayEquals(inOrder(map), table.drain());
      map.clear();
    }
    assertSame(map.get(id), table.get(id));
    map.forEach((key, value) -> assertSame(value, table.get(key)));
  }

  private static RangeRead any(Map<Long, RangeRead> map, Random random) {
    List<RangeRead> all = new ArrayList<>(map.values());
    return all.get(random.nextInt(all.size()));
  }

  private static RangeRead[] inOrder(Map<Long, RangeRead> map) {
    return map.values().stream()
        .sorted(Comparator.comparingLong(RangeRead::sequence))
        .toArray(RangeRead[]::new);
  }
}
