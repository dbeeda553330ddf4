// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.storage.v2.BidiReadHandle;
import com.google.storage.v2.BidiReadObjectSpec;
import com.google.storage.v2.CommonObjectRequestParams;
import io.grpc.Metadata;
import io.grpc.Status;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RequestRulesTest extends FakeGcsTestBase {

  @Test
  void refusesUnknownBucketsObjectsAndGenerations() throws Exception {
    BidiReadObjectSpec spec = RawClient.spec(object);
    assertEquals(Status.Code.OK, open(spec));
    assertEquals(Status.Code.OK, open(spec.toBuilder().setGeneration(1).build()));
    assertEquals(Status.Code.NOT_FOUND, open(spec.toBuilder().setGeneration(2).build()));
    assertEquals(Status.Code.NOT_FOUND, open(spec.toBuilder().setObject("none").build()));
    assertEquals(Status.Code.NOT_FOUND, open(spec.toBuilder().setBucket("bucket").build()));
    assertEquals(
        Status.Code.NOT_FOUND, open(spec.toBuilder().setBucket("projects/_/buckets/none").build()));
  }

  @Test
  void checksPreconditions() throws Exception {
    BidiReadObjectSpec spec = RawClient.spec(object);
    object.updateMetadata();
    assertEquals(
        Status.Code.OK,
        open(
            spec.toBuilder()
                .setIfGenerationMatch(1)
                .setIfGenerationNotMatch(0)
                .setIfMetagenerationMatch(2)
                .setIfMetagenerationNotMatch(1)
                .build()));
    List<BidiReadObjectSpec> unfulfilled =
        List.of(
            spec.toBuilder().setIfGenerationMatch(0).build(),
            spec.toBuilder().setIfGenerationNotMatch(1).build(),
            spec.toBuilder().setIfMetagenerationMatch(1).build(),
            spec.toBuilder().setIfMetagenerationNotMatch(2).build());
    for (BidiReadObjectSpec each : unfulfilled) {
      assertEquals(Status.Code.FAILED_PRECONDITION, open(each), each.toString());
    }
    StreamRecord.Spec seen = server.stream(2).spec().orElseThrow();
    assertEquals(OptionalLong.of(0), seen.ifGenerationMatch());
    assertEquals(OptionalLong.empty(), seen.ifGenerationNotMatch());
  }

  @Test
  void asksForTheEncryptionKey() throws Exception {
    byte[] key = content(0, 32);
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(key);
    FakeObject secret =
        server.put(
            "bucket",
            "secret",
            object.content(),
            ObjectOptions.builder().encryptionKey(key).build());
    CommonObjectRequestParams params =
        CommonObjectRequestParams.newBuilder()
            .setEncryptionAlgorithm("AES256")
            .setEncryptionKeyBytes(ByteString.copyFrom(key))
            .setEncryptionKeySha256Bytes(ByteString.copyFrom(sha256))
            .build();
    BidiReadObjectSpec spec = RawClient.spec(secret);
    assertEquals(Status.Code.INVALID_ARGUMENT, open(spec));
    BidiReadObjectSpec right = spec.toBuilder().setCommonObjectRequestParams(params).build();
    assertEquals(Status.Code.OK, open(right));
    BidiReadObjectSpec.Builder wrong = right.toBuilder();
    wrong
        .getCommonObjectRequestParamsBuilder()
        .setEncryptionKeyBytes(ByteString.copyFrom(content(1, 32)));
    assertEquals(Status.Code.INVALID_ARGUMENT, open(wrong.build()));
    assertEquals(
        Status.Code.INVALID_ARGUMENT,
        open(RawClient.spec(object).toBuilder().setCommonObjectRequestParams(params).build()));
    StreamRecord.EncryptionKey seen =
        server.stream(2).spec().orElseThrow().encryptionKey().orElseThrow();
    assertEquals("AES256", seen.algorithm());
    assertEquals(Bytes.of(key), seen.key());
    assertEquals(Bytes.of(sha256), seen.sha256());
  }

  @Test
  void refusesWhatAClientMustNotDo() throws Exception {
    assertInvalid(call().send(0, 10, 1));
    assertInvalid(client.open(object, 0, 10, 1).send(RawClient.spec(object), 0, 10, 2));
    assertInvalid(call().halfClose());
    long[] hundred = new long[300];
    long[] tooMany = new long[303];
    for (int i = 0; i < tooMany.length; i += 3) {
      tooMany[i + 2] = i;
    }
    System.arraycopy(tooMany, 0, hundred, 0, hundred.length);
    assertEquals(Status.Code.OK, client.open(object, hundred).halfClose().end().code());
    assertInvalid(client.open(object, tooMany));
  }

  @Test
  void refusesAnIdThatIsOutstandingButNotOneThatIsDone() throws Exception {
    Gate gate = Gate.closed();
    server.onRange(RangeMatch.offset(50), RangeScript.builder().hold(0, gate).build());
    RawStream stream = client.open(object, 0, 10, 1);
    server.awaitStream(1, "range 1", record -> record.rangesFinished() == 1, TIMEOUT);
    stream.send(50, 10, 1);
    server.awaitRanges(2, TIMEOUT);
    assertFalse(stream.hasEnded());
    assertInvalid(stream.send(70, 10, 1));
  }

  @Test
  void recordsHeadersHandleAndToken() throws Exception {
    Metadata headers = new Metadata();
    Metadata.Key<String> params =
        Metadata.Key.of("x-goog-request-params", Metadata.ASCII_STRING_MARSHALLER);
    headers.put(params, "bucket=projects/_/buckets/bucket&routing_token=a/b=%");
    headers.put(params, "twice");
    headers.put(Metadata.Key.of("some-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {0, 1, 2});
    client
        .call(headers)
        .send(
            RawClient.spec(object).toBuilder()
                .setRoutingToken("a/b=%")
                .setReadHandle(BidiReadHandle.newBuilder().setHandle(ByteString.copyFromUtf8("h")))
                .build())
        .halfClose()
        .end();
    StreamRecord record = server.stream(1);
    assertEquals(
        List.of("bucket=projects/_/buckets/bucket&routing_token=a/b=%", "twice"),
        record.header("x-goog-request-params"));
    assertEquals(List.of("AAEC"), record.header("some-bin"));
    assertEquals(List.of(), record.header("grpc-timeout"));
    assertTrue(record.authority().startsWith("localhost:"), record.authority());
    StreamRecord.Spec spec = record.spec().orElseThrow();
    assertEquals(Optional.of("a/b=%"), spec.routingToken());
    assertEquals(Optional.of(Bytes.utf8("h")), spec.readHandle());
    assertEquals(Optional.empty(), spec.encryptionKey());
  }

  @Test
  void asksForABearerTokenWhenToldTo() throws Exception {
    RawStream before = client.open(object);
    before.next();
    server.requireToken("t1");
    assertEquals(Status.Code.UNAUTHENTICATED, call().end().code());
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer t1");
    assertEquals(
        Status.Code.OK, client.call(headers).send(RawClient.spec(object)).halfClose().end().code());
    server.requireToken("t2");
    assertEquals(Status.Code.UNAUTHENTICATED, client.call(headers).end().code());
    server.acceptAnyToken();
    assertEquals(Status.Code.OK, call().send(RawClient.spec(object)).halfClose().end().code());
    assertEquals(Status.Code.OK, before.halfClose().end().code(), "open streams go on");
  }

  @Test
  void replacedAndDeletedObjectsStayWithTheirStreams() throws Exception {
    RawStream old = client.open(object);
    old.next();
    FakeObject replacement = server.put("bucket", "object", ObjectContent.generated(9, 50));
    assertEquals(2, replacement.generation());
    old.send(90, 10, 1).halfClose().end();
    assertArrayEquals(content(90, 10), old.bytes(1));
    assertEquals(50, client.open(replacement).next().getMetadata().getSize());
    assertTrue(server.delete("bucket", "object"));
    assertFalse(server.delete("bucket", "object"));
    assertEquals(Status.Code.NOT_FOUND, open(RawClient.spec(object)));
    assertEquals(
        9,
        server
            .put("b", "o", object.content(), ObjectOptions.builder().generation(9).build())
            .generation());
    assertEquals(10, server.put("b", "o", object.content()).generation());
  }

  @Test
  void appendableObjectsGrowUntilTheyAreFinalized() throws Exception {
    FakeObject growing =
        server.put(
            "bucket",
            "growing",
            ObjectContent.of(content(0, 10)),
            ObjectOptions.builder().appendable().build());
    RawStream stream = client.open(growing, 0, 0, 1);
    com.google.storage.v2.Object metadata = stream.next().getMetadata();
    assertFalse(metadata.hasFinalizeTime());
    assertFalse(metadata.getChecksums().hasCrc32C());
    assertEquals(10, metadata.getSize());
    growing.append(content(10, 5));
    growing.append(content(15, 5));
    stream.send(5, 100, 2).halfClose().end();
    assertArrayEquals(content(5, 15), stream.bytes(2));
    growing.finalizeObject();
    assertThrows(IllegalStateException.class, () -> growing.append(new byte[1]));
    metadata = client.open(growing).next().getMetadata();
    assertTrue(metadata.hasFinalizeTime());
    assertEquals(20, metadata.getSize());
    assertTrue(metadata.getChecksums().hasCrc32C());
  }

  private Status.Code open(BidiReadObjectSpec spec) throws Exception {
    return call().send(spec).halfClose().end().code();
  }

  private static void assertInvalid(RawStream stream) throws Exception {
    assertEquals(Status.Code.INVALID_ARGUMENT, stream.end().code());
  }
}
