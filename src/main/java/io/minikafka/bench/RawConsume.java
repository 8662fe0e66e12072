package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.protocol.Frames;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Fetches over a plain socket and checks every record's checksum, without making an object of it.
 * The next fetch is sent before the records of the last are checked. At the end of the partition it
 * begins again.
 */
final class RawConsume implements Load {
  private static final int KINDS_READ =
      1 << Entry.KIND_MARKER | 1 << Entry.KIND_ATTRIBUTED | 1 << Entry.KIND_GAP;

  static final int MAX_WAIT_MS = 500;

  private final RawLink link;
  private final Lane lane;
  private final int fetchBytes;
  private final int recordBytes;
  private final long endOffset;

  /**
   * @param endOffset behind the last record of the partition
   */
  RawConsume(ServerAddress server, Lane lane, int fetchBytes, int recordBytes, long endOffset)
      throws IOException {
    this.lane = lane;
    this.fetchBytes = fetchBytes;
    this.recordBytes = recordBytes;
    this.endOffset = endOffset;
    this.link = RawLink.connect(server);
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long records = 0;
    long wireBytes = 0;
    ask(0);
    boolean isLast = false;
    while (!isLast) {
      ByteBuffer body = link.answer();
      wireBytes += body.remaining();
      ByteBuffer entries = entries(body);
      long next = nextOffset(entries);
      isLast = limit.isReached(began, System.nanoTime(), wireBytes);
      if (!isLast) {
        ask(next >= endOffset ? 0 : next);
      }
      records += check(entries);
    }
    return new Work(records, records * recordBytes, wireBytes, System.nanoTime() - began);
  }

  private void ask(long offset) throws IOException {
    link.write(request(lane, offset, fetchBytes, MAX_WAIT_MS));
  }

  /** A fetch of one partition. */
  static ByteBuffer request(Lane lane, long offset, int fetchBytes, int maxWaitMs) {
    Fetch.Partition part =
        new Fetch.Partition(lane.topicId(), lane.partition(), offset, 0, fetchBytes);
    return Frames.request(
        Fetch.V1, 0, new Fetch.Request(maxWaitMs, 1, fetchBytes, KINDS_READ, List.of(part)));
  }

  /** What the answer to it brought. */
  static ByteBuffer entries(ByteBuffer body) throws IOException {
    Fetch.Answer answer = Fetch.V1.response().read(body).answers().getFirst();
    ErrorCode error = ErrorCode.of(answer.error());
    if (error != ErrorCode.NONE) {
      throw new IOException("a fetch was answered with " + error);
    }
    Blob blob = answer.entries();
    if (blob.length() == 0) {
      throw new IOException("a fetch below the end of the partition brought nothing");
    }
    return ((Bytes) blob).buffer();
  }

  /** By the lengths only. */
  static long nextOffset(ByteBuffer entries) throws IOException {
    int limit = entries.limit();
    long next = -1;
    for (int at = 0; isWhole(entries, at, limit); at += Entry.bytes(entries, at)) {
      next = Entry.offset(entries, at) + Entry.span(entries, at);
    }
    if (next < 0) {
      throw new IOException("a fetch brought no whole entry");
    }
    return next;
  }

  private static long check(ByteBuffer entries) throws IOException {
    int limit = entries.limit();
    long records = 0;
    for (int at = 0; isWhole(entries, at, limit); at += Entry.bytes(entries, at)) {
      if (!Entry.checksumHolds(entries, at)) {
        throw new IOException(
            "the checksum of offset %d is wrong".formatted(Entry.offset(entries, at)));
      }
      records += Entry.span(entries, at);
    }
    return records;
  }

  private static boolean isWhole(ByteBuffer entries, int at, int limit) {
    return Entry.problem(entries, at, limit) == Entry.Problem.NONE;
  }

  @Override
  public void close() throws IOException {
    link.close();
  }
}
