package io.minikafka.protocol;

import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Codec;
import io.minikafka.golden.HexText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/** The values whose bytes stand in the golden files: one request and one response of each call. */
final class FrameExamples {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final UUID NO_ID = new UUID(0, 0);
  private static final long TIME = 1_700_000_000_000L;

  /** A body, the codec it is written with, and what stands in front of it. */
  record Example<T>(
      String name, Call<?, ?> call, boolean request, int correlationId, Codec<T> codec, T value) {
    /** The whole frame. */
    byte[] encode() {
      BufferSink out = new BufferSink(16);
      out.u32(0);
      if (request) {
        out.u8(call.api().code());
        out.u8(call.version());
        out.u32(correlationId);
      } else {
        Frames.responseHeader(correlationId, ErrorCode.NONE, out);
      }
      codec.write(value, out);
      out.patchU32(0, out.length() - Frames.LENGTH_BYTES);
      return array(out.toBuffer());
    }

    /** The value in a frame whose head is right. */
    T decode(byte[] frame) {
      ByteBuffer in = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
      check(in.getInt(), in.remaining());
      if (request) {
        check(in.get(), call.api().code());
        check(in.get(), call.version());
        check(in.getInt(), correlationId);
      } else {
        check(in.getInt(), correlationId);
        check(in.getShort(), 0);
      }
      return codec.readAll(in);
    }

    private static void check(int found, int expected) {
      if (found != expected) {
        throw new AssertionError("%d instead of %d".formatted(found, expected));
      }
    }
  }

  static final List<Example<?>> ALL;

  static {
    try {
      ALL = Stream.concat(all().stream(), GroupFrameExamples.ALL.stream()).toList();
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private FrameExamples() {}

  private static List<Example<?>> all() throws IOException {
    return List.of(
        request(CreateTopic.V0, 7, new CreateTopic.RequestV0("orders", 3)),
        response(CreateTopic.V0, 7, new CreateTopic.ResponseV0()),
        request(Metadata.V0, 8, new Metadata.RequestV0("orders")),
        response(Metadata.V0, 8, new Metadata.ResponseV0(3)),
        request(
            Produce.V0, 9, new Produce.RequestV0("orders", 1, 2, records("batch-v0-produced", 0))),
        response(Produce.V0, 9, new Produce.ResponseV0(1000)),
        request(
            Fetch.V0,
            10,
            new Fetch.RequestV0(
                500,
                List.of(
                    new Fetch.PartitionV0("orders", 1, 1000, 65536),
                    new Fetch.PartitionV0("logs", 0, 7, 4096)))),
        response(
            Fetch.V0,
            10,
            new Fetch.ResponseV0(
                List.of(
                    new Fetch.AnswerV0("orders", 1, 0, 1002, 0, records("batch-v0-stamped", 96)),
                    new Fetch.AnswerV0("logs", 0, 2, 5, 1, Bytes.EMPTY)))),
        request(ListOffsets.V0, 11, new ListOffsets.RequestV0("orders", 1)),
        response(ListOffsets.V0, 11, new ListOffsets.ResponseV0(990, 1002)),
        request(
            CreateTopic.V1,
            7,
            new CreateTopic.Request(
                "orders", 3, false, List.of(new CreateTopic.Setting("retention.ms", "3600000")))),
        response(CreateTopic.V1, 7, new CreateTopic.Response(ID, 3)),
        request(Metadata.V1, 8, new Metadata.Request(List.of("orders", "nowhere"))),
        response(
            Metadata.V1,
            8,
            new Metadata.Response(
                "minikafka",
                List.of(new Metadata.Node(1, "localhost", 9092)),
                List.of(
                    new Metadata.Topic(
                        0,
                        "orders",
                        ID,
                        0,
                        List.of(
                            new Metadata.Partition(0, 0, 1, 3),
                            new Metadata.Partition(1, 14, 1, 0))),
                    new Metadata.Topic(1, "nowhere", NO_ID, 0, List.of())))),
        request(Produce.V1, 9, new Produce.Request(ID, 1, 3, 2, records("batch-produced", 0))),
        response(Produce.V1, 9, new Produce.Response(1000, 1002, 990, TIME + 100, 3, 2, false)),
        request(
            Fetch.V1,
            10,
            new Fetch.Request(
                500, 1, 1 << 20, 0x13, List.of(new Fetch.Partition(ID, 1, 1000, 3, 65536)))),
        response(
            Fetch.V1,
            10,
            new Fetch.Response(
                List.of(
                    new Fetch.Answer(ID, 1, 0, 1002, 990, 3, 0, 0, records("batch-stamped", 0)),
                    new Fetch.Answer(ID, 2, 15, 80, 0, 3, 40, 44, Bytes.EMPTY)))),
        request(
            ListOffsets.V1,
            11,
            new ListOffsets.Request(
                List.of(
                    new ListOffsets.Query(ID, 1, ListOffsets.START),
                    new ListOffsets.Query(ID, 1, TIME)))),
        response(
            ListOffsets.V1,
            11,
            new ListOffsets.Response(
                List.of(
                    new ListOffsets.Answer(ID, 1, 0, 990, 1002, 990, -1, 3),
                    new ListOffsets.Answer(ID, 1, 0, 990, 1002, 1000, TIME, 3)))),
        request(Hello.V1, 1, new Hello.Request("minikafka-java", "0.1")),
        response(
            Hello.V1,
            1,
            new Hello.Response(
                "minikafka",
                "0.1",
                1,
                64 << 20,
                false,
                List.of(),
                List.of(new Hello.ApiVersions(3, 0, 1), new Hello.ApiVersions(11, 1, 1)))));
  }

  /** What the golden file of a call's request or response is called. */
  static String name(Call<?, ?> call, boolean request) {
    return "v%d-%s-%s"
        .formatted(
            call.version(),
            call.api().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            request ? "request" : "response");
  }

  static <Q> Example<Q> request(Call<Q, ?> call, int correlationId, Q value) {
    return new Example<>(name(call, true), call, true, correlationId, call.request(), value);
  }

  static <R> Example<R> response(Call<?, R> call, int correlationId, R value) {
    return new Example<>(name(call, false), call, false, correlationId, call.response(), value);
  }

  private static Bytes records(String golden, int from) throws IOException {
    byte[] bytes = HexText.golden(golden);
    return Bytes.of(ByteBuffer.wrap(bytes, from, bytes.length - from));
  }

  static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
