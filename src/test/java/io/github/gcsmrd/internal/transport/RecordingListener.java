// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.StreamEnd;
import io.github.gcsmrd.internal.stream.StreamListener;
import io.github.gcsmrd.internal.wire.Response;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Records what a call tells, and every breach of the listener's rules. Thread-safe. */
class RecordingListener implements StreamListener {
  final BlockingQueue<String> ready = new LinkedBlockingQueue<>();
  final BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
  final BlockingQueue<StreamEnd> ends = new LinkedBlockingQueue<>();
  final AtomicInteger byteSignals = new AtomicInteger();
  final Queue<String> breaches = new ConcurrentLinkedQueue<>();
  volatile boolean inMethod;
  private final Loop loop;
  private boolean inCallback;

  RecordingListener(Loop loop) {
    this.loop = loop;
  }

  /** Runs a callback's body under the rules. */
  private void callback(String name, Runnable body) {
    if (!loop.inLoop()) {
      breaches.add(name + " off the loop, on " + Thread.currentThread());
    }
    if (inCallback) {
      breaches.add(name + " inside another callback");
    }
    if (inMethod) {
      breaches.add(name + " inside a method of the call");
    }
    if (!ends.isEmpty()) {
      breaches.add(name + " after the end");
    }
    inCallback = true;
    try {
      body.run();
    } finally {
      inCallback = false;
    }
  }

  @Override
  public void onReady() {
    callback("onReady", this::handleReady);
  }

  @Override
  public void onResponse(Response response) {
    callback("onResponse", () -> handleResponse(response));
  }

  @Override
  public void onBytes() {
    callback("onBytes", byteSignals::incrementAndGet);
  }

  @Override
  public void onEnd(StreamEnd end) {
    callback("onEnd", () -> handleEnd(end));
  }

  void handleReady() {
    ready.add("ready");
  }

  void handleResponse(Response response) {
    responses.add(response);
  }

  void handleEnd(StreamEnd end) {
    ends.add(end);
  }

  void awaitReady() {
    take(ready, "onReady");
  }

  Response awaitResponse() {
    return take(responses, "onResponse");
  }

  StreamEnd awaitEnd() {
    StreamEnd end = take(ends, "onEnd");
    ends.add(end);
    return end;
  }

  private <T> T take(BlockingQueue<T> from, String what) {
    try {
      T taken = from.poll(10, TimeUnit.SECONDS);
      return taken == null ? fail("no " + what + " came; ends: " + ends) : taken;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Closes what nobody took and checks that no rule was broken. */
  void finish() {
    for (Response left = responses.poll(); left != null; left = responses.poll()) {
      left.close();
    }
    assertEquals("[]", breaches.toString());
  }
}
