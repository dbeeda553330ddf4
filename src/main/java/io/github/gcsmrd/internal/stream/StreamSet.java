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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Those streams: one that failed is given nothing any more, but may wait for a sink. */
  private final Set<StreamPart> unstopped = ConcurrentHashMap.newKeySet();

  /** Changed on the home loop, read anywhere. */
  private volatile List<StreamPart> parts;

  private volatile boolean closing;

  /** What the first open brought. */
  private volatile @Nullable ObjectInfo info;

  private final Backlog backlog;
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
    unstopped.add(first);
    this.home = first.session().loop();
    this.backlog = new Backlog(home, this::place);
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
      home.execute(() -> backlog.send(List.of(read)));
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
    } else {
      backlog.accept(call);
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
      StreamPart part = choose(read);
      part.take(read);
      plan.computeIfAbsent(part, p -> new LinkedHashMap<>())
          .computeIfAbsent(read.call().root(), c -> new ArrayList<>())
          .add(read);
    }
    long now = home.now();
    plan.forEach(
        (part, calls) -> calls.forEach((call, some) -> submit(part, call.part(some, now))));
  }

  /** If there is no place for it on the home loop, the first stream tells it why. */
  private StreamPart choose(RangeRead read) {
    StreamPart chosen = StreamChoice.choose(parts, read.destination().isMovable());
    return chosen == null ? first : chosen;
  }

  private void submit(StreamPart part, ReadCall call) {
    try {
      part.submit(call);
    } catch (RejectedExecutionException loopIsGone) {
      onLoopGone.accept(call);
    }
  }

  /** Opens further streams if what there is to do is worth them, and again those that broke. */
  private void grow(List<RangeRead> reads) {
    if (!canOpen()) {
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
      part.retry(home.now());
    }
    if (isRested()) {
      growTo(StreamChoice.wanted(load, bounds.least(), bounds.most()));
    }
    if (needsHome && parts.stream().noneMatch(part -> part.isHome() && part.isAlive())) {
      add(true);
    }
  }

  /** Whether a further stream would read the same bytes. */
  private boolean canOpen() {
    ObjectInfo known = info;
    return !closing && known != null && known.generation().isPresent();
  }

  /** Whether it is long enough ago that one could not be opened. */
  private boolean isRested() {
    return home.now() - restUntilNanos >= 0;
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
    SessionConfig further = config.further(known.generation(), handle);
    StreamPart part = new StreamPart(this, opener, onHome, further, Optional.of(known));
    unstopped.add(part);
    try {
      part.session().start();
    } catch (RejectedExecutionException loopIsGone) {
      partStopped(part);
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
    if (canOpen()) {
      growTo(bounds.least());
    }
    backlog.end();
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

  /** From any thread: whether there is a stream apart from one, of such a health or a better. */
  boolean hasOther(StreamPart part, StreamHealth atWorst) {
    for (StreamPart other : parts) {
      if (other != part && other.health().compareTo(atWorst) <= 0 && !closing) {
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
        closeOne(part, "it had nothing to do");
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
    for (StreamPart part : unstopped) {
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
  void partStopped(StreamPart part) {
    unstopped.remove(part);
    if (running.decrementAndGet() == 0) {
      listener.stopped();
    }
  }

  @Override
  public String toString() {
    return "StreamSet" + parts;
  }
}
