// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.GcsException;
import io.github.gcsmrd.ObjectInfo;
import io.github.gcsmrd.ReadHandle;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.read.ReadOwner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One open object over several streams, each of which is a {@link Session} of its own on its loop.
 * Its public methods are thread-safe; the rest is confined to the home loop, the first stream's,
 * where that isn't said otherwise.
 *
 * <p>It decides which range goes where, and no more: opening, resuming and delivering are the
 * sessions'. A range is at one stream at a time. If that breaks, or can't be opened, what waits
 * there comes back and goes to one that lives; ranges whose user code belongs to a loop stay on the
 * home loop's streams.
 *
 * <p>Further streams are opened once the first has told the generation, with that and its handle,
 * so that all read the same bytes.
 */
public final class StreamSet implements ObjectSession {
  private final SessionConfig config;
  private final StreamBounds bounds;
  private final StreamOpener opener;
  private final Session.Listener listener;
  private final Consumer<ReadCall> onLoopGone;
  private final StreamPart first;
  private final Loop home;

  /** Streams that have not stopped; once 0, it stays so. */
  private final AtomicInteger running = new AtomicInteger(1);

  /** Changed on the home loop, read anywhere. */
  private volatile List<StreamPart> parts;

  private volatile boolean closing;

  /** What the first open brought. */
  private volatile @Nullable ObjectInfo info;

  /** What waits for the first open, beyond what goes with it. */
  private final Set<RangeRead> backlog = new LinkedHashSet<>();

  private int sentWithOpen;
  private boolean openEnded;
  private long restUntilNanos;
  private Loop.@Nullable Timer idleTimer;

  /**
   * A set that was not started.
   *
   * @param config what to open
   * @param bounds how many streams
   * @param opener makes them
   * @param listener told once each
   * @param onLoopGone ends a call that no loop takes any more
   */
  @SuppressWarnings("this-escape") // Nobody calls before the start.
  public StreamSet(
      SessionConfig config,
      StreamBounds bounds,
      StreamOpener opener,
      Session.Listener listener,
      Consumer<ReadCall> onLoopGone) {
    this.config = config;
    this.bounds = bounds;
    this.opener = opener;
    this.listener = listener;
    this.onLoopGone = onLoopGone;
    this.first = new StreamPart(this, opener, true, config, Optional.empty());
    this.home = first.session().loop();
    this.parts = List.of(first);
    this.restUntilNanos = home.now();
  }

  @Override
  public void start() {
    first.session().start();
  }

  @Override
  public void submit(ReadCall call) {
    home.execute(() -> accept(call));
  }

  @Override
  public void abandon(RangeRead read) {
    Optional<ReadOwner> owner = read.owner();
    if (owner.isPresent()) {
      owner.get().abandon(read);
    } else {
      // Wherever it goes, that it was given up is seen there: it must only be on its way.
      home.execute(() -> sendFromBacklog(read));
    }
  }

  @Override
  public void close(String reason) {
    home.execute(() -> closeAll(reason));
  }

  @Override
  public Optional<ReadHandle> readHandle() {
    for (StreamPart part : parts) {
      Optional<ReadHandle> handle = part.session().readHandle();
      if (handle.isPresent()) {
        return handle;
      }
    }
    return first.session().readHandle();
  }

  @Override
  public Loop loop() {
    return home;
  }

  /** What is known of the object, once it is open. */
  public Optional<ObjectInfo> known() {
    return Optional.ofNullable(info);
  }

  private void accept(ReadCall call) {
    call.begin(home.now());
    if (openEnded) {
      place(call.reads());
      return;
    }
    // The first ranges travel with the open; the rest may be shared out a round trip later.
    int room = Math.max(0, SessionLimits.RANGES_PER_MESSAGE - sentWithOpen);
    List<RangeRead> reads = call.reads();
    int now = Math.min(room, reads.size());
    sentWithOpen += now;
    place(reads.subList(0, now));
    backlog.addAll(reads.subList(now, reads.size()));
  }

  private void sendFromBacklog(RangeRead read) {
    if (backlog.remove(read)) {
      place(List.of(read));
    }
  }

  /** Gives each range to a stream. */
  private void place(List<RangeRead> reads) {
    if (reads.isEmpty()) {
      return;
    }
    grow(reads);
    Map<StreamPart, Map<ReadCall, List<RangeRead>>> plan = new LinkedHashMap<>();
    for (RangeRead read : reads) {
      StreamPart part = StreamChoice.choose(parts, read.destination().isMovable());
      part.take(read);
      plan.computeIfAbsent(part, p -> new LinkedHashMap<>())
          .computeIfAbsent(read.call().root(), c -> new ArrayList<>())
          .add(read);
    }
    long now = home.now();
    plan.forEach(
        (part, calls) ->
            calls.forEach((call, some) -> submit(part, call.part(List.copyOf(some), now))));
  }

  private void submit(StreamPart part, ReadCall call) {
    try {
      part.submit(call);
    } catch (RejectedExecutionException loopIsGone) {
      onLoopGone.accept(call);
    }
  }

  /** Opens further streams if what there is to do is worth them. */
  private void grow(List<RangeRead> reads) {
    if (!mayGrow()) {
      return;
    }
    long load = 0;
    boolean needsHome = false;
    for (RangeRead read : reads) {
      load += StreamChoice.weigh(read);
      needsHome |= !read.destination().isMovable();
    }
    for (StreamPart part : parts) {
      load += part.loadBytes();
    }
    growTo(StreamChoice.wanted(load, bounds.least(), bounds.most()));
    if (needsHome && parts.stream().noneMatch(part -> part.isHome() && part.isAlive())) {
      add(true);
    }
  }

  private boolean mayGrow() {
    ObjectInfo known = info;
    return !closing
        && known != null
        && known.generation().isPresent()
        && home.now() - restUntilNanos >= 0;
  }

  private void growTo(int wanted) {
    int missing = wanted - (int) parts.stream().filter(StreamPart::isAlive).count();
    for (int i = 0; i < missing && add(false); i++) {
      // Each is one more.
    }
  }

  /** Adds a stream; returns false if it can't be. */
  private boolean add(boolean onHome) {
    ObjectInfo known = info;
    if (known == null || running.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      return false;
    }
    Optional<byte[]> handle = readHandle().map(ReadHandle::toByteArray);
    StreamPart part =
        new StreamPart(
            this, opener, onHome, config.further(known.generation(), handle), Optional.of(known));
    try {
      part.session().start();
    } catch (RejectedExecutionException loopIsGone) {
      partStopped();
      return false;
    }
    List<StreamPart> more = new ArrayList<>(parts);
    more.add(part);
    parts = List.copyOf(more);
    watchIdle();
    return true;
  }

  /** On the part's loop. */
  void partOpened(StreamPart part, ObjectInfo learned) {
    if (part == first) {
      info = learned;
      endOpen();
    }
  }

  private void endOpen() {
    openEnded = true;
    if (mayGrow()) {
      growTo(bounds.least());
    }
    List<RangeRead> waiting = List.copyOf(backlog);
    backlog.clear();
    place(waiting);
  }

  /** On the part's loop: it failed for good, or is closed. */
  void partEnded(StreamPart part) {
    try {
      home.execute(() -> forget(part));
    } catch (RejectedExecutionException loopIsGone) {
      // Nothing is given to anybody any more.
    }
  }

  private void forget(StreamPart part) {
    if (!part.isOnceOpen()) {
      restUntilNanos = home.now() + StreamBounds.REFUSAL_REST.toNanos();
    }
    List<StreamPart> left = new ArrayList<>(parts);
    // The last one stays: what comes is told why it ended.
    if (left.size() > 1 && left.remove(part)) {
      parts = List.copyOf(left);
    }
    if (!openEnded) {
      endOpen();
    }
  }

  /** From any thread: whether a stream lives, apart from one, that nothing is wrong with. */
  boolean hasHealthyBeside(StreamPart part) {
    for (StreamPart other : parts) {
      boolean healthy = other.health() == StreamHealth.OPEN || other.health() == StreamHealth.FRESH;
      if (other != part && healthy && !closing) {
        return true;
      }
    }
    return false;
  }

  /** From any loop: ranges that their stream can't read now. */
  void takeOver(List<RangeRead> reads) {
    try {
      home.execute(() -> place(reads));
    } catch (RejectedExecutionException loopIsGone) {
      onLoopGone.accept(reads.get(0).call().part(reads, home.now()));
    }
  }

  private void watchIdle() {
    if (idleTimer == null && !closing) {
      idleTimer = home.schedule(this::letGoIdle, StreamBounds.IDLE_LOOK.toNanos());
    }
  }

  private void letGoIdle() {
    idleTimer = null;
    List<StreamPart> kept = new ArrayList<>(parts);
    for (StreamPart part : parts) {
      boolean idle = part.isIdleFor(StreamBounds.IDLE_LIMIT.toNanos(), home.now());
      if (idle && part != first && kept.size() > bounds.least()) {
        kept.remove(part);
        part.session().close("it had nothing to do");
      }
    }
    parts = List.copyOf(kept);
    if (parts.size() > 1) {
      watchIdle();
    }
  }

  private void closeAll(String reason) {
    closing = true;
    Loop.Timer timer = idleTimer;
    if (timer != null) {
      timer.cancel();
    }
    for (StreamPart part : parts) {
      closeOne(part, reason);
    }
    if (!openEnded) {
      endOpen();
    }
  }

  private static void closeOne(StreamPart part, String reason) {
    try {
      part.session().close(reason);
    } catch (RejectedExecutionException loopIsGone) {
      // It ends with its loop.
    }
  }

  /** On the callback executor. */
  void tellOpened(StreamPart part, ObjectInfo told) {
    if (part == first) {
      listener.opened(told);
    }
  }

  /** On the callback executor. */
  void tellOpenFailed(StreamPart part, GcsException failure) {
    if (part == first) {
      listener.openFailed(failure);
    }
  }

  /** From any thread: one has stopped. */
  void partStopped() {
    if (running.decrementAndGet() == 0) {
      listener.stopped();
    }
  }

  @Override
  public String toString() {
    return "StreamSet" + parts;
  }
}
