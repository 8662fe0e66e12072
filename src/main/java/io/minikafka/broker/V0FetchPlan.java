package io.minikafka.broker;

import io.minikafka.broker.Locator.Found;
import io.minikafka.broker.Locator.Missing;
import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.record.CorruptEntryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A fetch of version 0: a copy that holds plain records only. Where the log holds something else at
 * the asked offset, it reads on until it finds a record or the high watermark.
 */
final class V0FetchPlan implements FetchPlan<Fetch.ResponseV0> {
  /** Bytes of one {@link Fetch.AnswerV0} besides its topic's name and its records. */
  static final int ANSWER_HEAD_BYTES = 4 + 4 + 2 + 8 + 8 + 4;

  /** More than this is copied on the worker. */
  private static final int MUCH_BYTES = 256 << 10;

  private static final System.Logger LOG = System.getLogger(V0FetchPlan.class.getName());

  // Constant after construction.
  private final FetchHandler.Surroundings around;
  private final Locator locator;
  private final List<Part> parts;
  private final int rotation;
  private final int budget;

  private final FetchReads reads = new FetchReads();

  // Of the present reading.
  private int left;
  private boolean complete;
  private long records;
  private long bytes;

  /** A wanted partition, and from where on there may be a record. */
  private static final class Part {
    final Fetch.PartitionV0 wanted;
    final Optional<Partition> partition;
    long nextOffset;

    /** As it was when last read; everything below was looked at. */
    long seenHighWatermark;

    Part(Fetch.PartitionV0 wanted, Optional<Partition> partition) {
      this.wanted = wanted;
      this.partition = partition;
      this.nextOffset = wanted.offset();
    }

    /** Whether more became visible than was there when it was last read, and not below it. */
    boolean hasMore() {
      return partition.isPresent()
          && partition.get().highWatermark() > Math.max(nextOffset, seenHighWatermark);
    }
  }

  V0FetchPlan(FetchHandler.Surroundings around, Fetch.RequestV0 request, int rotation) {
    this.around = around;
    this.locator = new Locator(around.topics());
    this.rotation = rotation;
    this.parts = new ArrayList<>(request.partitions().size());
    long heads = 64;
    for (Fetch.PartitionV0 wanted : request.partitions()) {
      Optional<Partition> partition =
          locator.locate(wanted.topic(), wanted.partition()) instanceof Found found
              ? Optional.of(found.partition())
              : Optional.empty();
      parts.add(new Part(wanted, partition));
      // UTF-8 takes at most three bytes a char.
      heads += ANSWER_HEAD_BYTES + 3L * wanted.topic().length();
    }
    BrokerLimits limits = around.limits();
    this.budget =
        (int) Math.max(0, Math.min(limits.maxFetchBytes(), limits.maxFrameBytes() - heads));
  }

  @Override
  public List<Partition> watched() {
    return parts.stream().flatMap(part -> part.partition.stream()).toList();
  }

  @Override
  public boolean mayBlock() {
    return reads.next(isMuchOrCold());
  }

  private boolean isMuchOrCold() {
    long bytes = 0;
    for (Part part : parts) {
      if (part.partition.isPresent() && part.nextOffset < part.partition.get().highWatermark()) {
        int maxBytes = V1FetchPlan.bound(part.wanted.maxBytes(), budget);
        bytes += maxBytes;
        if (bytes > MUCH_BYTES || part.partition.get().readMayBlock(part.nextOffset, maxBytes)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public boolean isForWorker() {
    return reads.isForWorker();
  }

  @Override
  public boolean worthReading() {
    return parts.stream().anyMatch(Part::hasMore);
  }

  @Override
  public Attempt<Fetch.ResponseV0> read() {
    left = Math.min(budget, around.pool().room());
    complete = false;
    reads.begin();
    records = 0;
    bytes = 0;
    for (Part part : parts) {
      // Before reading: what comes while it reads counts as new.
      part.partition.ifPresent(partition -> part.seenHighWatermark = partition.highWatermark());
    }
    int count = parts.size();
    Fetch.AnswerV0[] answers = new Fetch.AnswerV0[count];
    try {
      for (int i = 0; i < count; i++) {
        int at = (int) ((rotation + (long) i) % count);
        answers[at] = answer(parts.get(at));
      }
    } catch (RuntimeException | Error e) {
      for (Fetch.AnswerV0 answer : answers) {
        if (answer != null) {
          answer.records().release();
        }
      }
      throw e;
    }
    return new Attempt<>(new Fetch.ResponseV0(Arrays.asList(answers)), complete, records, bytes);
  }

  private Fetch.AnswerV0 answer(Part part) {
    Fetch.PartitionV0 wanted = part.wanted;
    return switch (locator.locate(wanted.topic(), wanted.partition())) {
      case Missing missing -> {
        complete = true;
        yield new Fetch.AnswerV0(
            wanted.topic(), wanted.partition(), ErrorCode.UNKNOWN_TOPIC.code(), 0, 0, Bytes.EMPTY);
      }
      case Found found -> {
        // One that came meanwhile is not watched: nothing would end the waiting for it.
        complete |= part.partition.filter(watched -> watched == found.partition()).isEmpty();
        yield answer(part, found.partition());
      }
    };
  }

  private Fetch.AnswerV0 answer(Part part, Partition partition) {
    if (part.nextOffset < 0) {
      return failed(part, partition, ErrorCode.OFFSET_OUT_OF_RANGE);
    }
    try {
      while (left > 0) {
        int maxBytes = V1FetchPlan.bound(part.wanted.maxBytes(), left);
        switch (reads.read(partition, part.nextOffset, Math.min(maxBytes, left), true)) {
          case ReadResult.Entries entries -> {
            if (entries.blob().length() == 0) {
              return answer(part, partition, ErrorCode.NONE, Bytes.EMPTY);
            }
            BufferPool.Loan converted =
                V0Conversion.convert(
                    entries.blob(), partition.hash(), part.wanted.offset(), around.pool());
            if (converted.length() > 0) {
              complete = true;
              left -= converted.length();
              records += entries.nextOffset() - part.nextOffset;
              bytes += converted.length();
              return answer(part, partition, ErrorCode.NONE, converted);
            }
            converted.release();
            part.nextOffset = entries.nextOffset();
          }
          case ReadResult.OutOfRange outOfRange -> {
            return failed(part, partition, ErrorCode.OFFSET_OUT_OF_RANGE);
          }
          case ReadResult.Damaged damaged -> {
            return failed(part, partition, ErrorCode.DAMAGED_RANGE);
          }
          case ReadResult.Offline offline -> {
            return failed(part, partition, ErrorCode.STORAGE_FAILED);
          }
        }
      }
      return answer(part, partition, ErrorCode.NONE, Bytes.EMPTY);
    } catch (CorruptEntryException e) {
      locator.warn(LOG, "reading", partition.id(), e);
      return failed(part, partition, ErrorCode.CORRUPT_MESSAGE);
    } catch (IOException e) {
      locator.warn(LOG, "reading", partition.id(), e);
      return failed(part, partition, ErrorCode.STORAGE_FAILED);
    }
  }

  private Fetch.AnswerV0 failed(Part part, Partition partition, ErrorCode code) {
    complete = true;
    return answer(part, partition, code.forVersion0(), Bytes.EMPTY);
  }

  private static Fetch.AnswerV0 answer(
      Part part, Partition partition, ErrorCode code, Blob records) {
    PartitionStore.Snapshot now = partition.snapshot();
    return new Fetch.AnswerV0(
        part.wanted.topic(),
        part.wanted.partition(),
        code.code(),
        partition.highWatermark(),
        now.start(),
        records);
  }

  @Override
  public void discard(Fetch.ResponseV0 response) {
    response.answers().forEach(answer -> answer.records().release());
  }
}
