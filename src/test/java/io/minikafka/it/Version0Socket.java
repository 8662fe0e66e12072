package io.minikafka.it;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** A client of version 0 that sends one request after the other, by names only. One thread. */
final class Version0Socket implements Closeable {
  private static final int MAX_BYTES = 1 << 20;

  private final Socket socket;

  Version0Socket(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
  }

  /** What was answered; the body is empty if there is an error. */
  private record Answer(int error, ByteBuffer body) {}

  /**
   * @param values in the order of their offsets
   */
  record Fetched(int error, List<String> values, long nextOffset) {}

  /** The error of the answer, 0 for none. */
  int produce(String topic, int partition, String value) throws IOException {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    ByteBuffer payload = bytes(8 + 4 + text.length).putLong(1_234).putInt(0).put(text).flip();
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    ByteBuffer record = bytes(16 + payload.remaining());
    record.putLong(0).putInt(payload.remaining()).putInt((int) crc.getValue()).put(payload).flip();
    ByteBuffer body = bytes(64 + topic.length() + record.remaining());
    string(body, topic).putInt(partition).putInt(1).putInt(record.remaining()).put(record);
    return ask(3, body).error;
  }

  /** Waits up to 20 ms for a record. */
  Fetched fetch(String topic, int partition, long offset) throws IOException {
    ByteBuffer body = bytes(64 + topic.length()).putInt(20).putInt(1);
    string(body, topic).putInt(partition).putLong(offset).putInt(MAX_BYTES);
    Answer answer = ask(4, body);
    if (answer.error != 0) {
      return new Fetched(answer.error, List.of(), offset);
    }
    ByteBuffer in = answer.body;
    in.getInt();
    in.position(in.position() + 4 + topic.length() + 4);
    int error = in.getShort();
    in.position(in.position() + 8 + 8);
    int end = in.getInt() + in.position();
    List<String> values = new ArrayList<>();
    long next = offset;
    while (in.position() < end) {
      long at = in.getLong();
      int length = in.getInt();
      in.getInt();
      int behind = in.position() + length;
      in.getLong();
      in.position(in.position() + 4 + in.getInt(in.position()));
      byte[] value = new byte[behind - in.position()];
      in.get(value);
      if (at >= offset) {
        values.add(new String(value, StandardCharsets.UTF_8));
        next = at + 1;
      }
    }
    return new Fetched(error, values, next);
  }

  private Answer ask(int api, ByteBuffer body) throws IOException {
    body.flip();
    ByteBuffer frame = bytes(10 + body.remaining()).putInt(6 + body.remaining());
    frame.put((byte) api).put((byte) 0).putInt(1).put(body);
    socket.getOutputStream().write(frame.array());
    byte[] length = socket.getInputStream().readNBytes(4);
    if (length.length < 4) {
      throw new EOFException("the broker closed the connection");
    }
    byte[] rest = socket.getInputStream().readNBytes(wrap(length).getInt());
    ByteBuffer in = wrap(rest);
    in.getInt();
    return new Answer(in.getShort(), in);
  }

  private static ByteBuffer string(ByteBuffer out, String text) {
    return out.putInt(text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static ByteBuffer bytes(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
