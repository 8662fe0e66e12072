package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** There and back over loopback, one after the other. What a broker needs at least to answer. */
final class PingFloor implements TurnFloor {
  private final FloorServer server;
  private final SocketChannel channel;
  private final ByteBuffer frame;
  private final Latencies turns = new Latencies();

  PingFloor(int frameBytes) throws IOException {
    this.frame = ByteBuffer.allocateDirect(frameBytes);
    this.server = FloorServer.start(connection -> serve(connection, frameBytes));
    this.channel = server.connect();
  }

  private static void serve(SocketChannel connection, int frameBytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocateDirect(frameBytes);
    while (true) {
      FloorServer.readFully(connection, in);
      FloorServer.writeFully(connection, in);
    }
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long count = 0;
    long now = began;
    while (count == 0 || !limit.isReached(began, now, count * frame.capacity())) {
      long sentNanos = now;
      FloorServer.writeFully(channel, frame);
      FloorServer.readFully(channel, frame);
      now = System.nanoTime();
      turns.add(now - sentNanos);
      count++;
    }
    long bytes = count * frame.capacity();
    return new Work(count, bytes, bytes, now - began);
  }

  @Override
  public Latencies turns() {
    return turns;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    server.close();
  }
}
