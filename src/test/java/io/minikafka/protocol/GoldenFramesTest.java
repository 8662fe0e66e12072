package io.minikafka.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import io.minikafka.golden.HexText;
import io.minikafka.protocol.FrameExamples.Example;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Frames are, byte for byte, what the golden files say; these were not made by this code. */
class GoldenFramesTest {
  @TestFactory
  Stream<DynamicTest> everyRequestAndResponseIsItsGoldenBytesBothWays() {
    return FrameExamples.ALL.stream()
        .map(example -> dynamicTest(example.name(), () -> isGolden(example)));
  }

  private static <T> void isGolden(Example<T> example) throws IOException {
    byte[] golden = HexText.golden(example.name());
    assertArrayEquals(golden, example.encode());
    assertEquals(example.value(), example.decode(golden));
  }

  @Test
  void everyCallHasAGoldenRequestAndAGoldenResponse() {
    assertEquals(
        Calls.ALL.stream()
            .flatMap(
                call -> Stream.of(FrameExamples.name(call, true), FrameExamples.name(call, false)))
            .toList(),
        FrameExamples.ALL.stream()
            .map(Example::name)
            .sorted(Comparator.comparingInt(GoldenFramesTest::order))
            .toList());
  }

  private static int order(String name) {
    for (int i = 0; i < Calls.ALL.size(); i++) {
      if (name.equals(FrameExamples.name(Calls.ALL.get(i), true))) {
        return 2 * i;
      }
      if (name.equals(FrameExamples.name(Calls.ALL.get(i), false))) {
        return 2 * i + 1;
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void aWholeRequestIsWhatTheFileSays() throws IOException {
    assertArrayEquals(
        HexText.golden("v0-create-topic-request"),
        FrameExamples.array(
            Frames.request(CreateTopic.V0, 7, new CreateTopic.RequestV0("orders", 3))));
  }

  @Test
  void everyErrorIsItsGoldenBytesInVersion0() throws IOException {
    BufferSink out = new BufferSink(16);
    for (ErrorCode error : errors()) {
      out.u32(Frames.RESPONSE_HEADER_BYTES);
      Frames.responseHeader(error.code(), error.forVersion0(), out);
    }
    assertArrayEquals(HexText.golden("v0-errors"), FrameExamples.array(out.toBuffer()));
  }

  @Test
  void everyErrorIsItsGoldenBytesInVersion1() throws IOException {
    BufferSink out = new BufferSink(16);
    for (ErrorCode error : errors()) {
      failure(error.code(), error, new Frames.Failure("no", Bytes.EMPTY), out);
    }
    byte[] golden = HexText.golden("v1-errors");
    assertArrayEquals(golden, FrameExamples.array(out.toBuffer()));
    ByteBuffer in = ByteBuffer.wrap(golden).order(ByteOrder.LITTLE_ENDIAN);
    for (ErrorCode error : errors()) {
      assertEquals(16, in.getInt());
      assertEquals(error, ErrorCode.of(in.getInt()));
      assertEquals(error, ErrorCode.of(in.getShort()));
      assertEquals(new Frames.Failure("no", Bytes.EMPTY), Frames.Failure.CODEC.read(in));
    }
  }

  @Test
  void anErrorsMessageAndDetailAreItsGoldenBytes() throws IOException {
    Frames.Failure value =
        new Frames.Failure("max.message.bytes is 1024", Bytes.of(new byte[] {1, 2, 3}));
    BufferSink out = new BufferSink(16);
    failure(9, ErrorCode.MESSAGE_TOO_LARGE, value, out);
    byte[] golden = HexText.golden("v1-error");
    assertArrayEquals(golden, FrameExamples.array(out.toBuffer()));
    ByteBuffer body = ByteBuffer.wrap(golden).order(ByteOrder.LITTLE_ENDIAN).position(10);
    assertEquals(value, Frames.Failure.CODEC.readAll(body));
  }

  private static void failure(
      int correlationId, ErrorCode error, Frames.Failure failure, BufferSink out) {
    int start = out.length();
    out.u32(0);
    Frames.responseHeader(correlationId, error, out);
    Frames.Failure.CODEC.write(failure, out);
    out.patchU32(start, out.length() - start - Frames.LENGTH_BYTES);
  }

  private static List<ErrorCode> errors() {
    return Arrays.stream(ErrorCode.values()).filter(error -> error != ErrorCode.NONE).toList();
  }
}
