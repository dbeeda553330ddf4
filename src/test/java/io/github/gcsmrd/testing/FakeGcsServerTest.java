// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class FakeGcsServerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Test
  void speaksTlsWithACertificateOfItsOwn() throws Exception {
    try (FakeGcs server = FakeGcs.builder().tls().start();
        RawClient client = new RawClient(server)) {
      X509Certificate certificate = server.certificate().orElseThrow();
      certificate.checkValidity();
      certificate.verify(certificate.getPublicKey());
      assertEquals("https://localhost:" + server.port(), server.endpoint());
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, 100));
      RawStream stream = client.open(object, 0, 0, 1).halfClose();
      assertEquals(Status.Code.OK, stream.end().code());
      assertArrayEquals(object.content().read(0, 100), stream.bytes(1));
      server.onEveryStream(StreamScript.at(When.opened(), StreamAction.reset()));
      assertEquals(Status.Code.INTERNAL, client.open(object).end().code());
    }
  }

  @Test
  void closeCutsStreamsFreesThePortAndLeavesNoThread() throws Exception {
    FakeGcs server = FakeGcs.start();
    int port = server.port();
    assertEquals("http://localhost:" + port, server.endpoint());
    assertTrue(server.certificate().isEmpty());
    try (RawClient client = new RawClient(server)) {
      RawStream stream = client.open(server.put("b", "o", ObjectContent.generated(1, 100)));
      stream.next();
      server.close();
      server.close();
      assertFalse(stream.end().status().isOk());
    }
    List<String> left =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.isAlive() && thread.getName().startsWith("fake-gcs"))
            .map(Thread::getName)
            .toList();
    assertEquals(List.of(), left);
    try (FakeGcs again = FakeGcs.builder().port(port).start()) {
      assertEquals(port, again.port());
      assertThrows(IOException.class, () -> FakeGcs.builder().port(port).start().close());
    }
  }

  @Test
  void aFailedStartLeavesNoThread() throws Exception {
    try (FakeGcs server = FakeGcs.start()) {
      ExecutorService executor = Executors.newSingleThreadExecutor();
      try {
        FakeGcsBuilder second = FakeGcs.builder().port(server.port()).executor(executor);
        assertThrows(IOException.class, second::start);
        assertFalse(executor.isShutdown(), "the caller's executor is the caller's");
      } finally {
        executor.shutdownNow();
      }
    }
  }

  @Test
  void answersOnTheGivenExecutor() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    List<Thread> threads = new ArrayList<>();
    executor.submit(() -> threads.add(Thread.currentThread())).get();
    try (FakeGcs server = FakeGcs.builder().executor(executor).start();
        RawClient client = new RawClient(server)) {
      server.onEveryStream(
          StreamScript.at(
              When.opened(), StreamAction.run(() -> threads.add(Thread.currentThread()))));
      client.open(server.put("b", "o", ObjectContent.generated(1, 100))).next();
      assertSame(threads.get(0), threads.get(1));
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void limitsConcurrentStreamsOfAConnection() throws Exception {
    try (FakeGcs server = FakeGcs.builder().maxConcurrentStreams(1).start();
        RawClient client = new RawClient(server)) {
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, 100));
      RawStream first = client.open(object);
      first.next();
      RawStream second = client.open(object, 0, 10, 1).halfClose();
      first.send(0, 10, 1);
      first.next();
      assertEquals(1, server.streams().size());
      first.halfClose().end();
      assertEquals(Status.Code.OK, second.end().code());
    }
  }

  @Test
  void lowersTheLimitOfConcurrentStreams() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        RawClient client = new RawClient(server)) {
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, 100));
      RawStream first = client.open(object);
      first.next();
      assertTrue(server.perform(1, StreamAction.limitStreams(1)));
      first.send(0, 10, 1);
      first.next();
      RawStream second = client.open(object, 0, 10, 1).halfClose();
      first.send(0, 10, 2);
      first.next();
      assertEquals(1, server.streams().size());
      first.halfClose().end();
      assertEquals(Status.Code.OK, second.end().code());
    }
  }

  @Test
  void agesConnections() throws Exception {
    Duration age = Duration.ofMillis(50);
    try (FakeGcs server = FakeGcs.builder().maxConnectionAge(age, age).start();
        RawClient client = new RawClient(server)) {
      RawStream stream = client.open(server.put("b", "o", ObjectContent.generated(1, 100)));
      assertEquals(Status.Code.UNAVAILABLE, stream.end().code());
      server.awaitNoOpenStreams(TIMEOUT);
    }
  }

  @Test
  void refusesLargeRequests() throws Exception {
    try (FakeGcs server = FakeGcs.builder().maxInboundMessageBytes(1000).start();
        RawClient client = new RawClient(server)) {
      FakeObject object = server.put("b", "o".repeat(2000), ObjectContent.generated(1, 100));
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, client.open(object).end().code());
    }
  }

  @Test
  void letsRequestsArriveLate() throws Exception {
    Duration latency = Duration.ofMillis(30);
    try (FakeGcs server = FakeGcs.builder().latency(latency).start();
        RawClient client = new RawClient(server)) {
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, 100));
      long before = System.nanoTime();
      RawStream stream = client.open(object, 0, 10, 1).send(10, 10, 2).halfClose();
      assertEquals(Status.Code.OK, stream.end().code());
      assertTrue(System.nanoTime() - before >= latency.toNanos());
      assertArrayEquals(object.content().read(10, 10), stream.bytes(2));
    }
  }

  @Test
  void aSlowClientSlowsTheServer() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        RawClient client = new RawClient(server)) {
      FakeObject object = server.put("b", "o", ObjectContent.generated(5, 64 << 20));
      RawStream stream = client.call(new Metadata(), 1).send(RawClient.spec(object), 0, 0, 1);
      stream.next();
      long most = 16 << 20;
      stream.request(1);
      stream.next();
      long sent = server.stream(1).payloadBytesSent();
      assertTrue(sent < most, "sent " + sent + " bytes to a client that took 4 MiB");
      stream.request(100);
      server.awaitStream(1, "all", record -> record.rangesFinished() == 1, TIMEOUT);
      assertEquals(64 << 20, server.stream(1).payloadBytesSent());
    }
  }

  @Test
  void aServerThatStopsReadingFillsTheWindow() throws Exception {
    Gate gate = Gate.closed();
    try (FakeGcs server = FakeGcs.builder().flowControlWindowBytes(1 << 16).start();
        RawClient client = new RawClient(server)) {
      server.onStream(1, StreamScript.at(When.opened(), StreamAction.stopReading(gate)));
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, 100));
      RawStream stream = client.open(object);
      stream.next();
      long[] ranges = new long[300];
      int sent = 0;
      while (stream.isReady()) {
        for (int i = 0; i < ranges.length; i += 3) {
          ranges[i + 2] = (1L << 40) + sent + i;
        }
        stream.send(ranges);
        sent += 100;
      }
      assertEquals(0, server.stream(1).ranges().size());
      gate.open();
      server.awaitRanges(sent, TIMEOUT);
    }
  }

  @Test
  void servesObjectsOfAnySizeAndManyStreams() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        RawClient client = new RawClient(server)) {
      long size = 64L << 30;
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, size));
      List<RawStream> streams = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        long offset = size / 21 * i;
        streams.add(client.open(object, offset, 5 << 20, 1, -7, 0, 2).halfClose());
      }
      for (int i = 0; i < streams.size(); i++) {
        RawStream stream = streams.get(i);
        assertEquals(Status.Code.OK, stream.end().code());
        byte[] expected = object.content().read(size / 21 * i, 5 << 20);
        assertArrayEquals(expected, stream.bytes(1), "stream " + i);
        assertArrayEquals(object.content().read(size - 7, 7), stream.bytes(2));
      }
    }
  }

  @Test
  void actsOnTheRightStreamOfManyConnections() throws Exception {
    int connections = 4;
    int streams = 40;
    Metadata.Key<String> number = Metadata.Key.of("number", Metadata.ASCII_STRING_MARSHALLER);
    List<RawClient> clients = new ArrayList<>();
    List<RawStream> opened = new ArrayList<>();
    try (FakeGcs server = FakeGcs.start()) {
      FakeObject object = server.put("b", "o", ObjectContent.generated(1, 100));
      for (int i = 0; i < connections; i++) {
        clients.add(new RawClient(server));
      }
      for (int i = 0; i < streams; i++) {
        Metadata headers = new Metadata();
        headers.put(number, Integer.toString(i));
        RawClient client = clients.get(i % connections);
        opened.add(client.call(headers).send(RawClient.spec(object)));
      }
      for (RawStream stream : opened) {
        stream.next();
      }
      assertEquals(connections, server.openConnections());
      for (StreamRecord record : server.streams()) {
        int i = Integer.parseInt(record.header("number").get(0));
        if (i % 3 == 0) {
          assertTrue(server.perform(record.ordinal(), StreamAction.reset()));
        }
      }
      for (int i = 0; i < streams; i++) {
        RawStream stream = opened.get(i);
        Status.Code expected = i % 3 == 0 ? Status.Code.INTERNAL : Status.Code.OK;
        assertEquals(expected, i % 3 == 0 ? code(stream) : code(stream.halfClose()), "call " + i);
      }
    } finally {
      clients.forEach(RawClient::close);
    }
  }

  private static Status.Code code(RawStream stream) throws Exception {
    return stream.end().code();
  }

  /** Some are not on their loop yet, and some are closed by their client in the same moment. */
  @Test
  void connectionsThatComeAndGoCanBeDropped() throws Exception {
    int rounds = 500;
    try (FakeGcs server = FakeGcs.start();
        RawClient client = new RawClient(server)) {
      CompletableFuture<Void> connects =
          CompletableFuture.runAsync(() -> connectAndClose(server.port(), rounds));
      while (!connects.isDone()) {
        server.dropConnections();
        server.sendGoAway();
        Thread.yield();
      }
      connects.get();
      server.await("all connections", () -> server.connections() >= rounds, TIMEOUT);
      client.open(server.put("b", "o", ObjectContent.generated(1, 100))).next();
    }
  }

  private static void connectAndClose(int port, int times) {
    for (int i = 0; i < times; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write('P');
      } catch (IOException dropped) {
        // As it should be.
      }
    }
  }

  @Test
  void awaitsTellWhatTheServerSaw() throws Exception {
    try (FakeGcs server = FakeGcs.start();
        RawClient client = new RawClient(server)) {
      client.open(server.put("b", "o", ObjectContent.generated(1, 100))).next();
      AssertionError error =
          assertThrows(AssertionError.class, () -> server.awaitRanges(1, Duration.ofMillis(10)));
      assertTrue(error.getMessage().contains("stream 1 on connection 1"), error.getMessage());
      assertThrows(IndexOutOfBoundsException.class, () -> server.stream(2));
      Gate gate = Gate.closed();
      assertThrows(AssertionError.class, () -> gate.awaitReached(Duration.ofMillis(10)));
    }
  }

  @Test
  void refusesSettingsThatCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> FakeGcs.builder().port(-1));
    assertThrows(IllegalArgumentException.class, () -> FakeGcs.builder().chunkBytes(0));
    assertThrows(IllegalArgumentException.class, () -> When.sent(0));
    assertThrows(IllegalArgumentException.class, () -> RangeMatch.any().times(0));
    assertThrows(IllegalArgumentException.class, () -> RangeScript.builder().gap(-1, 2));
    assertThrows(
        IllegalArgumentException.class, () -> ObjectOptions.builder().encryptionKey(new byte[3]));
  }
}
