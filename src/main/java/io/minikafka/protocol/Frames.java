package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Codec;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import io.minikafka.codec.Sink;
import java.nio.ByteBuffer;

/**
 * What stands around a body.
 *
 * <pre>
 * request    u32 length | u8 api | u8 version | u32 correlation id | body
 * response   u32 length | u32 correlation id | u16 error | body
 *            error ≠ 0: v0 no body; v1 str message, blob detail
 * </pre>
 *
 * <p>{@code length} counts what follows it.
 */
public final class Frames {
  public static final int LENGTH_BYTES = 4;

  /** api, version, correlation id. */
  public static final int REQUEST_HEADER_BYTES = 6;

  /** correlation id, error. */
  public static final int RESPONSE_HEADER_BYTES = 6;

  public static final int DEFAULT_MAX_FRAME_BYTES = 64 << 20;

  /** The body of an error from version 1 on. */
  public record Failure(String message, Bytes detail) {
    public static final Codec<Failure> CODEC =
        Messages.of(
            Failure::new,
            field("message", Codecs.STR, Failure::message),
            field("detail", Codecs.BYTES, Failure::detail));
  }

  private Frames() {}

  /** A whole request frame, length included, ready to be sent. */
  public static <Q> ByteBuffer request(Call<Q, ?> call, int correlationId, Q request) {
    BufferSink out = new BufferSink(256);
    out.u32(0);
    out.u8(call.api().code());
    out.u8(call.version());
    out.u32(correlationId);
    call.request().write(request, out);
    out.patchU32(0, out.length() - LENGTH_BYTES);
    return out.toBuffer();
  }

  /** Correlation id and error, without the length. */
  public static void responseHeader(int correlationId, ErrorCode error, Sink out) {
    out.u32(correlationId);
    out.u16(error.code());
  }
}
