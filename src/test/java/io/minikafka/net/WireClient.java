package io.minikafka.net;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A client that knows nothing but bytes. One thread. */
final class WireClient implements Closeable {
  private static final int TIMEOUT_MS = 20_000;

  private final Socket socket = new Socket();

  WireClient(String host, int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
  }

  /** With a small receive buffer, so that what it does not take stays with the broker. */
  WireClient(String host, int port, int receiveBytes) throws IOException {
    socket.setReceiveBufferSize(receiveBytes);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
  }

  /** An answer, cut into its parts. */
  record Answer(int correlationId, int error, ByteBuffer body) {
    byte[] bytes() {
      byte[] copy = new byte[body.remaining()];
      body.duplicate().get(copy);
      return copy;
    }

    String str() {
      byte[] utf8 = new byte[body.getInt()];
      body.get(utf8);
      return new String(utf8, java.nio.charset.StandardCharsets.UTF_8);
    }

    byte[] blob() {
      byte[] bytes = new byte[body.getInt()];
      body.get(bytes);
      return bytes;
    }
  }

  WireClient send(byte[]... parts) throws IOException {
    socket.getOutputStream().write(Wire.concat(parts));
    return this;
  }

  /** The next frame, whole, with its length. */
  byte[] readFrame() throws IOException {
    byte[] length = socket.getInputStream().readNBytes(4);
    if (length.length < 4) {
      throw new EOFException("the broker closed the connection");
    }
    int bytes = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
    byte[] rest = socket.getInputStream().readNBytes(bytes);
    if (rest.length < bytes) {
      throw new EOFException("a frame of %d bytes ends after %d".formatted(bytes, rest.length));
    }
    return Wire.concat(length, rest);
  }

  Answer read() throws IOException {
    ByteBuffer frame = ByteBuffer.wrap(readFrame()).order(ByteOrder.LITTLE_ENDIAN);
    frame.getInt();
    return new Answer(frame.getInt(), Short.toUnsignedInt(frame.getShort()), frame);
  }

  Answer ask(byte[] frame) throws IOException {
    return send(frame).read();
  }

  /** Whether the broker closes the connection without another byte. */
  boolean isClosed() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
