package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A positional write and a force, one after the other. What a lone durable append costs. */
final class FsyncFloor implements TurnFloor {
  private final FileChannel file;
  private final ByteBuffer frame;
  private final Latencies turns = new Latencies();

  FsyncFloor(FileChannel file, int frameBytes) {
    this.file = file;
    this.frame = RecordValues.direct(frameBytes);
  }

  @Override
  public void prepare() throws IOException {
    file.truncate(0);
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long count = 0;
    long now = began;
    while (count == 0 || !limit.isReached(began, now, count * frame.capacity())) {
      long beganNanos = now;
      frame.rewind();
      while (frame.hasRemaining()) {
        file.write(frame, count * frame.capacity() + frame.position());
      }
      file.force(false);
      now = System.nanoTime();
      turns.add(now - beganNanos);
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
    file.close();
  }
}
