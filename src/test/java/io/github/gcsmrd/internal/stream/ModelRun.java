// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.storage.v2.BidiReadObjectRequest;
import com.google.storage.v2.ReadRange;
import io.github.gcsmrd.GenerationChangedException;
import io.github.gcsmrd.RangeTimeoutException;
import io.github.gcsmrd.RetryPolicy;
import io.github.gcsmrd.SessionClosedException;
import io.github.gcsmrd.StatusCode;
import io.github.gcsmrd.internal.read.CreditPool;
import io.github.gcsmrd.internal.read.QueueSettings;
import io.github.gcsmrd.internal.read.ReadCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/** One session of the model, all of it decided by a seed. Not thread-safe. */
final class ModelRun implements CredentialsRenewal {
  private static final RetryPolicy PATIENT =
      query ->
          query.isTransient()
              ? new RetryPolicy.Verdict.Continue(Duration.ofMillis(10L * query.attempts()))
              : new RetryPolicy.Verdict.Permanent();

  /** Large enough for chunks that are hashed off the loop. */
  private static final int LARGE = 1_200_000;

  private static final long PLENTY = 1L << 40;

  private final Random random;
  private final TestObject object;
  private final SessionFixture fixture;
  private final ModelServer server;
  private final ModelEnds ends;
  private final long credit;
  private final long unit;
  private final boolean renewable;
  private final List<ModelRange> ranges = new ArrayList<>();
  private final Map<Long, ModelRange> byReadId = new HashMap<>();
  private final boolean patient;
  private final boolean unpinned;
  private int renewals;
  private boolean limited;
  private boolean closed;
  private long elapsedNanos;

  ModelRun(long seed) {
    random = new Random(seed);
    int size = random.nextInt(100) == 0 ? LARGE : random.nextInt(300);
    object = new TestObject(size, random.nextBoolean(), seed);
    fixture = new SessionFixture(seed);
    fixture.transport.readyAtOnce(random.nextInt(3) != 0);
    fixture.transport.inspector(this::inspect);
    if (random.nextInt(4) == 0) {
      fixture.transport.limitBytes(random.nextInt(500));
    }
    hashByChance();
    unit = size == LARGE ? 4_000 : 1;
    credit = random.nextBoolean() ? PLENTY : unit * (20L + random.nextInt(300));
    fixture.credit = new CreditPool(credit);
    renewable = random.nextBoolean();
    int handle = random.nextInt(5);
    unpinned = handle == 0;
    ends = new ModelEnds(object, random, fixture.transport, renewable, this::isSizeKnown);
    server =
        new ModelServer(
            object,
            random,
            fixture.transport,
            this::byReadId,
            () -> handle == 1 || isSizeKnown(),
            ends);
    patient = random.nextBoolean();
    fixture.start(config(handle), this);
  }

  @Override
  public boolean isPossible() {
    return renewable;
  }

  /** Done at once, later, or never. */
  @Override
  public void renew(Consumer<Boolean> then) {
    renewals++;
    switch (random.nextInt(3)) {
      case 0 -> then.accept(true);
      case 1 -> fixture.blocking.execute(() -> then.accept(random.nextBoolean()));
      default -> {}
    }
  }

  /** Mostly off the loop, chunks of any size, in any order; some at the size as shipped. */
  private void hashByChance() {
    fixture.offload.set(random.nextInt(4) != 0);
    fixture.hashers.randomize(random, random.nextInt(4) == 0 ? 5 : 0);
    if (random.nextInt(8) != 0) {
      fixture.offloadThreshold = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
    }
  }

  private SessionConfig config(int handle) {
    SessionConfig plain =
        SessionFixture.config(patient ? PATIENT : SessionFixture.RETRY, SessionLimits.defaults());
    if (handle > 1) {
      return plain;
    }
    SessionConfig with =
        SessionFixture.handleConfig(handle == 0 ? 0 : TestObject.GENERATION, (byte) 9);
    return new SessionConfig(
        with.bucket(),
        with.object(),
        with.generation(),
        with.ifGenerationMatch(),
        with.ifGenerationNotMatch(),
        with.ifMetagenerationMatch(),
        with.ifMetagenerationNotMatch(),
        with.readHandle(),
        with.key(),
        with.headers(),
        plain.retryPolicy(),
        with.limits());
  }

  private ModelRange byReadId(long readId) {
    return Objects.requireNonNull(byReadId.get(readId), () -> "no range was asked as " + readId);
  }

  private ModelRange findByReadId(long readId) {
    for (ModelRange range : ranges) {
      if (range.read().read().readId() == readId) {
        return range;
      }
    }
    throw new AssertionError("no range has the read id " + readId);
  }

  /** What the protocol and the design ask of each request. */
  private void inspect(BidiReadObjectRequest request) {
    for (ReadRange range : request.getReadRangesList()) {
      ModelRange model = findByReadId(range.getReadId());
      byReadId.put(range.getReadId(), model);
      model.checkRequest(range);
    }
    boolean known = !fixture.opened.isEmpty() && fixture.opened.get(0).generation().isPresent();
    if (request.hasReadObjectSpec() && known) {
      assertEquals(TestObject.GENERATION, request.getReadObjectSpec().getGeneration());
    }
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

  private void step() {
    int what = random.nextInt(106);
    if (what < 12) {
      submit();
    } else if (what < 15) {
      cancel();
    } else if (what < 20) {
      advance(random.nextInt(5) == 0 ? random.nextInt(40_000) : random.nextInt(50));
    } else if (what < 60) {
      server.step();
    } else if (what < 63) {
      ready();
    } else if (what < 80) {
      fixture.loop.runOne();
    } else if (what < 84) {
      fixture.loop.runTasks();
    } else if (what < 90) {
      fixture.blocking.runOne();
    } else if (what < 95) {
      fixture.callbacks.runOne();
    } else if (what < 98) {
      fixture.hashers.runOne();
    } else if (what < 103) {
      userCode();
    } else if (what == 103) {
      fixture.offload.set(random.nextInt(4) != 0);
    } else if (what == 104) {
      late();
    } else if (random.nextInt(10) == 0) {
      closed = true;
      fixture.session.close("by chance");
    }
  }

  private void submit() {
    int count = random.nextInt(30) == 0 ? 120 : 1 + random.nextInt(4);
    List<io.github.gcsmrd.internal.read.RangeRead> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      QueueSettings slow = fixture.queue(mostBytes());
      ModelRange range = new ModelRange(object, fixture.loop, slow, random);
      ranges.add(range);
      reads.add(range.read().read());
    }
    boolean timeout = random.nextInt(30) == 0;
    limited |= timeout;
    fixture.session.submit(
        new ReadCall(reads, timeout ? Duration.ofSeconds(3).toNanos() : ReadCall.NO_TIMEOUT));
  }

  /** How much a slow destination may have in hand: what is larger than all there is never comes. */
  private long mostBytes() {
    return credit == PLENTY && random.nextBoolean()
        ? QueueSettings.UNLIMITED
        : unit * (1L + random.nextInt((int) Math.min(credit / unit, 300)));
  }

  /** A slow destination goes on. */
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
        fixture.session.abandon(range.read().read());
      }
    }
  }

  private void advance(int millis) {
    elapsedNanos += Duration.ofMillis(millis).toNanos();
    fixture.loop.advance(Duration.ofMillis(millis));
  }

  private void ready() {
    FakeCall call = fixture.transport.call();
    if (call.isReady() && random.nextBoolean()) {
      call.makeBusy();
    } else {
      fixture.loop.execute(call::becomeReady);
    }
  }

  /** Something of a stream that is over. */
  private void late() {
    FakeCall call = fixture.transport.calls().get(0);
    if (call.isOver() && call != fixture.transport.call()) {
      call.answerLate(TestObject.of(object.chunk(random.nextInt(20), 0, 4).build()));
      call.endLate(StatusCode.NOT_FOUND);
    }
  }

  /** Everything happens that can happen without time passing, user code too. */
  private void settle() {
    boolean goesOn = true;
    while (goesOn) {
      fixture.settle();
      goesOn = false;
      for (ModelRange range : ranges) {
        goesOn |= range.takeAll();
      }
    }
  }

  /** The server is honest from now on: every range must end without anybody's help. */
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

  /** Slices follow each other without a pause, for as long as they come. */
  private void answerAll() {
    int before;
    int asked = -1;
    do {
      before = asked;
      server.beHonest();
      settle();
      asked = fixture.call().ranges().size();
    } while (asked != before);
  }

  private boolean allEnded() {
    return ranges.stream().allMatch(range -> range.read().isEnded());
  }

  private void close() {
    settle();
    closed |= !allEnded();
    fixture.session.close("the end");
    settle();
    if (random.nextBoolean()) {
      fixture.call().postEnd(FakeCall.status(StatusCode.OK, "", StreamEnd.Origin.SERVER));
    }
    fixture.advance(Duration.ofSeconds(10));
    fixture.loop.assertNoMoreTasks();
    assertEquals(1, fixture.stopped);
    assertEquals(1, fixture.opened.size() + fixture.openFailures.size());
    assertEquals(credit, fixture.credit.freeBytes(), "credit that came back");
    assertTrue(renewals <= ends.refusals, () -> renewals + " renewals");
  }

  /** Some causes are told apart from all others. */
  private void checkCause(TestRead read) {
    if (!read.succeeded() && read.failure() instanceof SessionClosedException) {
      assertTrue(closed, () -> "closed by nobody: " + read);
    }
    if (!read.succeeded() && read.failure() instanceof GenerationChangedException) {
      assertTrue(ends.generationChanged || unpinned, () -> "the generation is the same: " + read);
    }
  }

  private boolean isSizeKnown() {
    return !fixture.opened.isEmpty() && fixture.opened.get(0).sizeBytes().isPresent();
  }

  private void check() {
    server.noteSuspicions();
    boolean impatient = !patient && fixture.transport.calls().size() >= 5;
    boolean excuse =
        closed
            || limited
            || ends.fatal
            || ends.generationChanged
            || unpinned
            || impatient
            || ends.redirects > 5;
    boolean sizeKnown = isSizeKnown();
    boolean long10 = elapsedNanos > Duration.ofMinutes(10).toNanos();
    for (ModelRange range : ranges) {
      boolean starved =
          long10
              && !range.read().succeeded()
              && range.read().failure() instanceof RangeTimeoutException;
      range.check(excuse || starved, sizeKnown);
      checkCause(range.read());
    }
    for (ModelRange range : ranges) {
      range.closeKept();
    }
    fixture.transport.assertNoMemoryHeld();
  }
}
