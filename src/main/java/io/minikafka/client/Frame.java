package io.minikafka.client;

import io.minikafka.codec.Blob;
import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Sink;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.Frames;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request as it goes out: what was encoded, and behind it a large blob that is not copied. The
 * blob's owner must leave its bytes alone until the request was answered.
 */
final class Frame {
  /** Below this a copy is cheaper than a piece of its own. */
  private static final int LEAST_TAIL_BYTES = 1 << 10;

  private final ByteBuffer head;
  private final @Nullable ByteBuffer tail;

  private Frame(ByteBuffer head, @Nullable ByteBuffer tail) {
    this.head = head;
    this.tail = tail;
  }

  static <Q> Frame of(Call<Q, ?> call, int correlationId, Q request) {
    Collector out = new Collector();
    out.u32(0);
    out.u8(call.api().code());
    out.u8(call.version());
    out.u32(correlationId);
    call.request().write(request, out);
    int tailBytes = out.tail == null ? 0 : out.tail.remaining();
    out.head.patchU32(0, Math.addExact(out.head.length(), tailBytes) - Frames.LENGTH_BYTES);
    return new Frame(out.head.toBuffer(), out.tail);
  }

  int bytes() {
    return head.remaining() + (tail == null ? 0 : tail.remaining());
  }

  ByteBuffer head() {
    return head;
  }

  /** What follows the head without having been copied. */
  @Nullable ByteBuffer tail() {
    return tail;
  }

  /** Copies everything but a large blob at the very end. */
  private static final class Collector implements Sink {
    private final BufferSink head = new BufferSink(128);
    private @Nullable ByteBuffer tail;

    @Override
    public void u8(int value) {
      end().u8(value);
    }

    @Override
    public void u16(int value) {
      end().u16(value);
    }

    @Override
    public void u32(int value) {
      end().u32(value);
    }

    @Override
    public void u64(long value) {
      end().u64(value);
    }

    @Override
    public void raw(ByteBuffer bytes) {
      end().raw(bytes);
    }

    @Override
    public void blob(Blob blob) {
      BufferSink end = end();
      if (blob.length() >= LEAST_TAIL_BYTES && blob instanceof Bytes bytes) {
        tail = bytes.buffer();
      } else {
        end.blob(blob);
      }
    }

    /** Where the next byte goes: a tail with something behind it was none. */
    private BufferSink end() {
      if (tail != null) {
        head.raw(tail);
        tail = null;
      }
      return head;
    }
  }
}
