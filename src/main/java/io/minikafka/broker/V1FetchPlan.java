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
import io.minikafka.record.Entry;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A fetch of version 1: the bytes of the log as they are, in the order of the request.
 *
 * <p>The budget is spent from a partition that changes with each fetch, so that a greedy one does
 * not starve those behind it. The first entry of one partition comes whole whatever the budget, so
 * that no reader is stuck before a large record.
 */
final class V1FetchPlan implements FetchPlan<Fetch.Response> {
  /** The kinds of entries that logs hold and that cannot be expanded for a client. */
  static final int REQUIRED_KINDS = 1 << Entry.KIND_MARKER | 1 << Entry.KIND_ATTRIBUTED;

  /** Bytes of one {@link Fetch.Answer} besides its entries. */
  static final int ANSWER_HEAD_BYTES = 16 + 4 + 2 + 8 + 8 + 4 + 8 + 8 + 4;

  /** A fetch of more partitions is read on the worker. */
  private static final int MANY_PARTITIONS = 256;

  private static final System.Logger LOG = System.getLogger(V1FetchPlan.class.getName());

  // Constant after construction.
  private final FetchHandler.Surroundings around;
  private final Locator locator;
  private final List<Fetch.Partition> wanted;
  private final List<Watch> watches;
  private final int rotation;
  private final int budget;
  private final long minBytes;

  /** Whether the client takes gaps as they are. */
  private final boolean readsGaps;

  private final FetchReads reads = new FetchReads();

  // Of the present reading.
  private int left;
  private boolean nothingYet;
  private boolean complete;
  private long records;

  /** A partition that is there, and how much of it there was when last looked at. */
  private static final class Watch {
    final Partition partition;
    final Fetch.Partition wanted;
    long seenHighWatermark = -1;
    long bytes;

    Watch(Partition partition, Fetch.Partition wanted) {
      this.partition = partition;
      this.wanted = wanted;
    }
  }

  V1FetchPlan(FetchHandler.Surroundings around, Fetch.Request request, int rotation) {
    this.around = around;
    this.locator = new Locator(around.topics());
    this.wanted = request.partitions();
    this.rotation = rotation;
    this.readsGaps = (request.kinds() & 1 << Entry.KIND_GAP) != 0;
    BrokerLimits limits = around.limits();
    long room = limits.maxFrameBytes() - 64L - (long) ANSWER_HEAD_BYTES * wanted.size();
    long asked = Math.min(Integer.toUnsignedLong(request.maxBytes()), limits.maxFetchBytes());
    this.budget = (int) Math.max(0, Math.min(asked, room));
    long most = 0;
    this.watches = new ArrayList<>(wanted.size());
    for (Fetch.Partition part : wanted) {
      most += bound(part.maxBytes(), budget);
      if (locator.locate(part.topic(), part.partition()) instanceof Found found) {
        watches.add(new Watch(found.partition(), part));
      }
    }
    // More than can come is not worth waiting for; one byte always can.
    most = Math.max(1, Math.min(most, budget));
    this.minBytes = Math.min(Integer.toUnsignedLong(request.minBytes()), most);
  }

  @Override
  public List<Partition> watched() {
    return watches.stream().map(watch -> watch.partition).toList();
  }

  @Override
  public boolean mayBlock() {
    boolean muchOrCold = wanted.size() > MANY_PARTITIONS || !readsGaps;
    for (int i = 0; i < watches.size() && !muchOrCold; i++) {
      muchOrCold = mayBlock(watches.get(i));
    }
    return reads.next(muchOrCold);
  }

  private boolean mayBlock(Watch watch) {
    return watch.wanted.offset() < watch.partition.highWatermark()
        && watch.partition.readMayBlock(
            watch.wanted.offset(), bound(watch.wanted.maxBytes(), budget));
  }

  @Override
  public boolean isForWorker() {
    return reads.isForWorker();
  }

  @Override
  public boolean worthReading() {
    boolean changed = false;
    long bytes = 0;
    for (Watch watch : watches) {
      long highWatermark = watch.partition.highWatermark();
      if (highWatermark != watch.seenHighWatermark) {
        watch.seenHighWatermark = highWatermark;
        watch.bytes = measure(watch);
        changed = true;
      }
      bytes += watch.bytes;
    }
    return changed && bytes >= minBytes;
  }

  private long measure(Watch watch) {
    if (watch.wanted.offset() >= watch.seenHighWatermark) {
      return 0;
    }
    if (minBytes <= 1 || mayBlock(watch)) {
      return minBytes;
    }
    try {
      Optional<ReadResult> result =
          watch.partition.readHere(
              watch.wanted.offset(), bound(watch.wanted.maxBytes(), budget), true);
      if (result.isPresent() && result.get() instanceof ReadResult.Entries entries) {
        entries.blob().release();
        boolean all = entries.nextOffset() >= watch.seenHighWatermark;
        return all ? entries.blob().length() : minBytes;
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the reading that follows will say so", e);
    }
    return minBytes;
  }

  @Override
  public Attempt<Fetch.Response> read() {
    for (Watch watch : watches) {
      // Before reading: what comes while it reads counts as new.
      watch.seenHighWatermark = watch.partition.highWatermark();
    }
    left = reads.onWorker() ? Math.min(budget, around.pool().room()) : budget;
    nothingYet = true;
    reads.begin();
    records = 0;
    complete = watches.size() < wanted.size();
    int count = wanted.size();
    Fetch.Answer[] answers = new Fetch.Answer[count];
    long bytes = 0;
    try {
      for (int i = 0; i < count; i++) {
        int at = (int) ((rotation + (long) i) % count);
        answers[at] = answer(wanted.get(at));
        bytes += answers[at].entries().length();
      }
    } catch (RuntimeException | Error e) {
      for (Fetch.Answer answer : answers) {
        if (answer != null) {
          answer.entries().release();
        }
      }
      throw e;
    }
    for (Watch watch : watches) {
      watch.bytes = 0;
    }
    return new Attempt<>(
        new Fetch.Response(Arrays.asList(answers)), complete || bytes >= minBytes, records, bytes);
  }

  private Fetch.Answer answer(Fetch.Partition part) {
    return switch (locator.locate(part.topic(), part.partition())) {
      case Missing missing -> {
        complete = true;
        yield new Fetch.Answer(
            part.topic(),
            part.partition(),
            ErrorCode.UNKNOWN_TOPIC.code(),
            0,
            0,
            0,
            0,
            0,
            Bytes.EMPTY);
      }
      case Found found -> answer(part, found.partition());
    };
  }

  private Fetch.Answer answer(Fetch.Partition part, Partition partition) {
    PartitionStore.Snapshot now = partition.snapshot();
    if (Integer.compareUnsigned(part.lastEpoch(), now.epoch()) > 0) {
      // It has read from a log that went further than this one ever did.
      return failed(part, partition, ErrorCode.LOG_TRUNCATED, now.epoch(), now.end());
    }
    if (part.offset() < 0) {
      return failed(part, partition, ErrorCode.OFFSET_OUT_OF_RANGE, 0, 0);
    }
    try {
      int maxBytes = bound(part.maxBytes(), left);
      long highWatermark = partition.highWatermark();
      boolean cold = reads.onWorker() && partition.readMayBlock(part.offset(), maxBytes);
      ReadResult result = reads.read(partition, part.offset(), maxBytes, nothingYet);
      if (!readsGaps) {
        result = withoutGaps(result, partition, maxBytes, highWatermark);
        cold = false;
      }
      return switch (result) {
        case ReadResult.Entries entries -> {
          // What does not fit now will not fit later: no reason to wait.
          complete |= entries.nextOffset() < highWatermark;
          records += entries.nextOffset() - part.offset();
          yield taken(part, partition, cold ? inMemory(entries.blob()) : entries.blob());
        }
        case ReadResult.OutOfRange outOfRange ->
            failed(part, partition, ErrorCode.OFFSET_OUT_OF_RANGE, 0, 0);
        case ReadResult.Damaged damaged ->
            failed(part, partition, ErrorCode.DAMAGED_RANGE, damaged.from(), damaged.to());
        case ReadResult.Offline offline -> failed(part, partition, ErrorCode.STORAGE_FAILED, 0, 0);
      };
    } catch (IOException e) {
      locator.warn(LOG, "reading", partition.id(), e);
      return failed(part, partition, ErrorCode.STORAGE_FAILED, 0, 0);
    }
  }

  /** Where nothing but gaps was found it reads on: their offsets are nothing to wait for. */
  private ReadResult withoutGaps(
      ReadResult first, Partition partition, int maxBytes, long highWatermark) throws IOException {
    ReadResult result = first;
    while (result instanceof ReadResult.Entries entries && entries.blob().length() > 0) {
      BufferPool.Loan left = GapRemoval.copy(entries.blob(), around.pool());
      if (left.length() > 0) {
        return new ReadResult.Entries(left, entries.nextOffset());
      }
      left.release();
      if (entries.nextOffset() >= highWatermark) {
        return new ReadResult.Entries(Bytes.EMPTY, entries.nextOffset());
      }
      result = partition.read(entries.nextOffset(), maxBytes, nothingYet);
    }
    return result;
  }

  private Fetch.Answer taken(Fetch.Partition part, Partition partition, Blob entries) {
    int bytes = entries.length();
    if (bytes > 0) {
      nothingYet = false;
      left = Math.max(0, left - bytes);
    }
    return answer(part, partition, ErrorCode.NONE, 0, 0, entries);
  }

  private Fetch.Answer failed(
      Fetch.Partition part, Partition partition, ErrorCode code, long from, long to) {
    complete = true;
    return answer(part, partition, code, from, to, Bytes.EMPTY);
  }

  private static Fetch.Answer answer(
      Fetch.Partition part, Partition partition, ErrorCode code, long from, long to, Blob entries) {
    PartitionStore.Snapshot now = partition.snapshot();
    // The high watermark last: it is then not below the start, nor below what was read.
    return new Fetch.Answer(
        part.topic(),
        part.partition(),
        code.code(),
        partition.highWatermark(),
        now.start(),
        now.epoch(),
        from,
        to,
        entries);
  }

  /** Reads now, on the worker, what the socket's thread would otherwise have to wait for. */
  private Blob inMemory(Blob blob) throws IOException {
    if (blob.length() == 0) {
      return blob;
    }
    BufferPool.Loan loan = around.pool().take(blob.length());
    try {
      blob.copyTo(loan.buffer());
      return loan;
    } catch (IOException | RuntimeException | Error e) {
      loan.release();
      throw e;
    } finally {
      blob.release();
    }
  }

  @Override
  public void discard(Fetch.Response response) {
    response.answers().forEach(answer -> answer.entries().release());
  }

  /**
   * @param asked unsigned
   */
  static int bound(int asked, int limit) {
    return (int) Math.min(Integer.toUnsignedLong(asked), limit);
  }
}
