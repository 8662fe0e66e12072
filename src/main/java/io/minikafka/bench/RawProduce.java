package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Frames;
import io.minikafka.protocol.Produce;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends one frame, encoded before, again and again over a plain socket: what the broker and the
 * connection can do when the client costs nearly nothing.
 *
 * <p>As many frames as were answered at once are sent at once.
 */
final class RawProduce implements Load {
  /** Copies of a small frame that go out in one write. */
  private static final int BLOCK_BYTES = 256 << 10;

  private final RawLink link;
  private final ByteBuffer frames;
  private final int frameBytes;
  private final int copies;
  private final int batchRecords;
  private final int recordBytes;
  private final int inFlight;
  private int reached;

  RawProduce(ServerAddress server, Lane lane, ProduceShape shape) throws IOException {
    this.batchRecords = shape.batchRecords();
    this.recordBytes = shape.recordBytes();
    this.inFlight = shape.inFlight();
    ByteBuffer frame = frame(lane, shape);
    this.frameBytes = frame.remaining();
    this.copies = Math.clamp(BLOCK_BYTES / frameBytes, 1, inFlight);
    this.frames = RawLink.direct(frameBytes * copies);
    for (int i = 0; i < copies; i++) {
      frames.put(frame.duplicate());
    }
    this.link = RawLink.connect(server);
  }

  /** A produce request with one batch. */
  static ByteBuffer frame(Lane lane, ProduceShape shape) {
    Bytes batch =
        Bytes.of(
            RecordValues.batch(
                    shape.batchRecords(), shape.recordBytes(), System.currentTimeMillis())
                .version1());
    return Frames.request(
        Produce.V1, 0, new Produce.Request(lane.topicId(), lane.partition(), 0, 0, batch));
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long sent = 0;
    long answered = 0;
    while (true) {
      boolean over = sent > 0 && limit.isReached(began, System.nanoTime(), sent * frameBytes);
      if (!over) {
        long room = inFlight - (sent - answered);
        send((int) room);
        sent += room;
      } else if (sent == answered) {
        break;
      }
      do {
        take(link.answer());
        answered++;
      } while (answered < sent && link.hasAnswer());
    }
    long records = sent * batchRecords;
    return new Work(records, records * recordBytes, sent * frameBytes, System.nanoTime() - began);
  }

  private void send(int count) throws IOException {
    for (int left = count; left > 0; left -= copies) {
      frames.position(0).limit(Math.min(left, copies) * frameBytes);
      link.write(frames);
    }
  }

  private void take(ByteBuffer answer) {
    reached = Produce.V1.response().read(answer).reached();
  }

  @Override
  public String durability() {
    return Durabilities.text(reached);
  }

  @Override
  public void close() throws IOException {
    link.close();
  }
}
