package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * A bare connection: frames out, frames in, nothing else. Blocking; one thread, but {@link #close}
 * may come from any and ends what waits.
 */
final class RawLink implements AutoCloseable {
  private static final int SOCKET_BUFFER_BYTES = 4 << 20;

  private final SocketChannel channel;
  private ByteBuffer in;

  private RawLink(SocketChannel channel) {
    this.channel = channel;
    this.in = direct(256 << 10).limit(0);
  }

  static RawLink connect(ServerAddress server) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(new InetSocketAddress(server.host(), server.port()));
      return new RawLink(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  void write(ByteBuffer frames) throws IOException {
    while (frames.hasRemaining()) {
      channel.write(frames);
    }
  }

  /**
   * The body of the next answer; a view that is valid until the next call.
   *
   * @throws IOException also if the answer is an error
   */
  ByteBuffer answer() throws IOException {
    need(Frames.LENGTH_BYTES);
    int length = in.getInt(in.position());
    if (length < Frames.RESPONSE_HEADER_BYTES) {
      throw new IOException("an answer of %d bytes".formatted(length));
    }
    need(Frames.LENGTH_BYTES + length);
    int at = in.position() + Frames.LENGTH_BYTES;
    ErrorCode error = ErrorCode.of(Short.toUnsignedInt(in.getShort(at + Integer.BYTES)));
    if (error != ErrorCode.NONE) {
      throw new IOException("the broker answered " + error);
    }
    ByteBuffer body =
        in.slice(at + Frames.RESPONSE_HEADER_BYTES, length - Frames.RESPONSE_HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    in.position(at + length);
    return body;
  }

  /** Whether {@link #answer} would return without asking the socket. */
  boolean hasAnswer() {
    return in.remaining() >= Frames.LENGTH_BYTES
        && in.remaining() - Frames.LENGTH_BYTES >= in.getInt(in.position());
  }

  <Q, R> R ask(Call<Q, R> call, Q request) throws IOException {
    write(Frames.request(call, 0, request));
    return call.response().read(answer());
  }

  /** Reads until so many bytes are there; what was handed out before may be overwritten. */
  private void need(int bytes) throws IOException {
    if (in.remaining() >= bytes) {
      return;
    }
    if (in.capacity() < bytes) {
      in = direct(Integer.highestOneBit(bytes - 1) << 1).put(in).flip();
    } else if (in.capacity() - in.position() < bytes) {
      in.compact().flip();
    } else if (!in.hasRemaining()) {
      in.clear().limit(0);
    }
    while (in.remaining() < bytes) {
      int end = in.limit();
      in.mark().limit(in.capacity()).position(end);
      int read = channel.read(in);
      int filled = in.position();
      in.limit(filled).reset();
      if (read < 0) {
        throw new EOFException("the broker closed the connection");
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
