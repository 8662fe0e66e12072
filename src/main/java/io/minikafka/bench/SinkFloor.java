package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;

/**
 * Frames over loopback into a file: the server reads each whole, writes it with one positional
 * write, and answers eight bytes. What a broker does at least for a produce.
 */
final class SinkFloor implements Load {
  private static final int ANSWER_BYTES = 8;

  private final FileChannel file;
  private final FloorServer server;
  private final SocketChannel channel;
  private final ByteBuffer frame;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER_BYTES);
  private final int window;

  /** Where the next frame is written; moved by the server, set back while it waits. */
  private volatile long position;

  SinkFloor(FileChannel file, int frameBytes, int window) throws IOException {
    this.file = file;
    this.frame = RecordValues.direct(frameBytes);
    this.window = window;
    this.server = FloorServer.start(connection -> serve(connection, frameBytes));
    this.channel = server.connect();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // Set back only while this thread waits for a frame.
  private void serve(SocketChannel connection, int frameBytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocateDirect(frameBytes);
    ByteBuffer out = ByteBuffer.allocateDirect(ANSWER_BYTES);
    while (true) {
      FloorServer.readFully(connection, in);
      long at = position;
      while (in.hasRemaining()) {
        at += file.write(in, at);
      }
      position = at;
      FloorServer.writeFully(connection, out);
    }
  }

  @Override
  public void prepare() throws IOException {
    file.truncate(0);
    position = 0;
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long sent = 0;
    int waiting = 0;
    while (sent == 0 || !limit.isReached(began, System.nanoTime(), sent * frame.capacity())) {
      if (waiting == window) {
        FloorServer.readFully(channel, answer);
        waiting--;
      }
      FloorServer.writeFully(channel, frame);
      waiting++;
      sent++;
    }
    for (; waiting > 0; waiting--) {
      FloorServer.readFully(channel, answer);
    }
    long bytes = sent * frame.capacity();
    return new Work(sent, bytes, bytes, System.nanoTime() - began);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    server.close();
    file.close();
  }
}
