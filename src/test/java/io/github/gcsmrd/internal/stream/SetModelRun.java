// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.checksum.HashPool;
import io.github.gcsmrd.internal.checksum.OffloadSwitch;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** One set of streams of the model, all of it decided by a seed. Not thread-safe. */
final class SetModelRun implements CredentialsRenewal, Session.Listener {
  private static final RetryPolicy PATIENT =
      query ->
          query.isTransient()
              ? new RetryPolicy.Verdict.Continue(Duration.ofMillis(10L * query.attempts()))
              : new RetryPolicy.Verdict.Permanent();

  private static final long PLENTY = 1L << 40;

  private final Random random;
  private final TestObject object;
  private final List<FakeLoop> loops = new ArrayList<>();
  private final List<SetModelStream> streams = new ArrayList<>();
  private final List<ModelRange> ranges = new ArrayList<>();
  private final ManualExecutor callbacks = new ManualExecutor();
  private final ManualExecutor blocking = new ManualExecutor();
  private final ManualExecutor hashers = new ManualExecutor();
  private final OffloadSwitch offload = new OffloadSwitch(Map.of(), Optional.of(false));
  private final long credit;
  private final CreditPool pool;
  private final boolean renewable;
  private final boolean patient;
  private final boolean readyAtOnce;
  private final SessionTools tools;
  private final StreamSet set;
  private final List<ObjectInfo> opened = new ArrayList<>();
  private int openFailures;
  private int stopped;
  private boolean limited;
  private boolean closed;
  private long elapsedNanos;

  SetModelRun(long seed) {
    random = new Random(seed);
    object = new TestObject(random.nextInt(300), random.nextInt(4) != 0, seed);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      loops.add(new FakeLoop());
    }
    credit = random.nextBoolean() ? PLENTY : 20L + random.nextInt(300);
    pool = new CreditPool(credit);
    renewable = random.nextBoolean();
    patient = random.nextBoolean();
    readyAtOnce = random.nextInt(3) != 0;
    offload.set(random.nextBoolean());
    hashers.randomize(random, random.nextInt(4) == 0 ? 5 : 0);
    int threshold = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
    tools =
        new SessionTools(
            this, new Offload(offload, new HashPool(hashers), threshold), callbacks, blocking);
    int least = 1 + random.nextInt(4);
    StreamBounds bounds = new StreamBounds(least, least + random.nextInt(4));
    RetryPolicy policy = patient ? PATIENT : SessionFixture.RETRY;
    set =
        new StreamSet(
            SessionFixture.config(policy, StreamSetFixture.limits(bounds)),
            bounds,
            this::open,
            this,
            call -> {
              throw new AssertionError("a loop is gone");
            });
    set.start();
  }

  private Session open(
      boolean home, SessionConfig config, StreamPart part, Optional<ObjectInfo> known) {
    FakeLoop loop = loops.get(home ? 0 : streams.size() % loops.size());
    FakeTransport transport = new FakeTransport(loop, new Random(random.nextLong()));
    transport.readyAtOnce(readyAtOnce);
    Session session = new Session(config, transport, tools, part, part, known);
    streams.add(
        new SetModelStream(
            object, random, transport, session, part, renewable, this::isSizeKnown, ranges));
    return session;
  }

  void run() {
    int steps = 20 + random.nextInt(150);
    for (int i = 0; i < steps; i++) {
      step();
    }
    if (random.nextInt(4) != 0) {
      comeToAnEnd();
    }
    close();
    check();
  }

  private SetModelStream anyStream() {
    return streams.get(random.nextInt(streams.size()));
  }

  private FakeLoop anyLoop() {
    return loops.get(random.nextInt(loops.size()));
  }

  private void step() {
    int what = random.nextInt(106);
    if (what < 12) {
      submit();
    } else if (what < 15) {
      cancel();
    } else if (what < 20) {
      advance(random.nextInt(5) == 0 ? random.nextInt(40_000) : random.nextInt(50));
    } else if (what < 55) {
      anyStream().step();
    } else if (what < 58) {
      anyStream().ready(random);
    } else if (what < 80) {
      anyLoop().runOne();
    } else if (what < 86) {
      anyLoop().runTasks();
    } else if (what < 91) {
      blocking.runOne();
    } else if (what < 96) {
      callbacks.runOne();
    } else if (what < 100) {
      hashers.runOne();
    } else if (what < 105) {
      userCode();
    } else if (random.nextInt(10) == 0) {
      closed = true;
      set.close("by chance");
    }
  }

  private void submit() {
    int count = random.nextInt(60) == 0 ? 120 : 1 + random.nextInt(4);
    List<RangeRead> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      QueueSettings slow = new QueueSettings(blocking, set.loop()::execute, pool, mostBytes());
      ModelRange range = new ModelRange(object, loops.get(0), slow, random);
      ranges.add(range);
      reads.add(range.read().read());
    }
    boolean timeout = random.nextInt(30) == 0;
    limited |= timeout;
    set.submit(
        new ReadCall(reads, timeout ? Duration.ofSeconds(3).toNanos() : ReadCall.NO_TIMEOUT));
  }

  private long mostBytes() {
    return credit == PLENTY && random.nextBoolean()
        ? QueueSettings.UNLIMITED
        : 1L + random.nextInt((int) Math.min(credit, 300));
  }

  private void userCode() {
    if (!ranges.isEmpty()) {
      ranges.get(random.nextInt(ranges.size())).goOn(1 + random.nextInt(3));
    }
  }

  private void cancel() {
    if (!ranges.isEmpty()) {
      ModelRange range = ranges.get(random.nextInt(ranges.size()));
      if (!range.read().isEnded()) {
        range.cancelled = true;
        range.read().abandon();
        set.abandon(range.read().read());
      }
    }
  }

  private void advance(int millis) {
    elapsedNanos += Duration.ofMillis(millis).toNanos();
    int first = random.nextInt(loops.size());
    for (int i = 0; i < loops.size(); i++) {
      loops.get((first + i) % loops.size()).advance(Duration.ofMillis(millis));
    }
  }

  private void settle() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = false;
      for (FakeLoop loop : loops) {
        while (loop.runOne()) {
          goesOn = true;
        }
      }
      goesOn |= hashers.runAll();
      goesOn |= blocking.runAll();
      goesOn |= callbacks.runAll();
      if (!goesOn) {
        for (ModelRange range : ranges) {
          goesOn |= range.takeAll();
        }
      }
    }
  }

  /** The servers are honest from now on: every range must end without anybody's help. */
  private void comeToAnEnd() {
    settle();
    int rounds = 300 + 2 * ranges.size();
    for (int i = 0; i < rounds && !allEnded(); i++) {
      answerAll();
      if (!allEnded()) {
        advance(1_000);
        settle();
      }
    }
    for (ModelRange range : ranges) {
      assertTrue(range.read().isEnded(), () -> "hangs: " + range.read());
    }
  }

  private void answerAll() {
    int before;
    int asked = -1;
    do {
      before = asked;
      List.copyOf(streams).forEach(SetModelStream::beHonest);
      settle();
      asked = 0;
      for (SetModelStream stream : streams) {
        asked += stream.isIdle() ? 0 : stream.transport.call().ranges().size();
      }
    } while (asked != before);
  }

  /** Whether the open brought metadata, and with it the size and the generation. */
  private boolean isSizeKnown() {
    return !opened.isEmpty() && opened.get(0).sizeBytes().isPresent();
  }

  private boolean allEnded() {
    return ranges.stream().allMatch(range -> range.read().isEnded());
  }

  private void close() {
    settle();
    closed |= !allEnded();
    set.close("the end");
    settle();
    for (SetModelStream stream : streams) {
      if (!stream.isIdle() && random.nextBoolean()) {
        stream
            .transport
            .call()
            .postEnd(FakeCall.status(StatusCode.OK, "", StreamEnd.Origin.SERVER));
      }
    }
    advance(10_000);
    settle();
    loops.forEach(FakeLoop::assertNoMoreTasks);
    assertEquals(1, stopped);
    assertEquals(1, opened.size() + openFailures);
    assertEquals(credit, pool.freeBytes(), "credit that came back");
    for (SetModelStream stream : streams) {
      assertEquals(0, stream.part.loadBytes(), () -> "load of " + stream.part);
    }
  }

  private void check() {
    streams.forEach(stream -> stream.server.noteSuspicions());
    boolean starving = elapsedNanos > Duration.ofMinutes(10).toNanos();
    for (ModelRange range : ranges) {
      Throwable failure = range.read().succeeded() ? null : range.read().failure();
      boolean starved = starving && failure instanceof RangeTimeoutException;
      boolean ended =
          streams.stream().anyMatch(stream -> stream.isOwnerOf(range) && stream.mayEnd(patient));
      range.check(closed || limited || starved || ended, isSizeKnown());
      if (failure instanceof SessionClosedException) {
        assertTrue(closed, () -> "closed by nobody: " + range.read());
      }
      String text = String.valueOf(failure);
      assertFalse(text.contains("internal error"), text);
    }
    ranges.forEach(ModelRange::closeKept);
    streams.forEach(stream -> stream.transport.assertNoMemoryHeld());
  }

  @Override
  public boolean isPossible() {
    return renewable;
  }

  @Override
  public void renew(Consumer<Boolean> then) {
    switch (random.nextInt(3)) {
      case 0 -> then.accept(true);
      case 1 -> blocking.execute(() -> then.accept(random.nextBoolean()));
      default -> {}
    }
  }

  @Override
  public void opened(ObjectInfo info) {
    opened.add(info);
  }

  @Override
  public void openFailed(GcsException failure) {
    openFailures++;
  }

  @Override
  public void stopped() {
    stopped++;
  }
}
