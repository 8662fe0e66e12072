package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.codec.Blob;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.Durability;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.sim.ModelLog.End;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A partition of a {@link World} over all its lives, beside its model. One thread. */
final class LivePartition {
  private static final int MAX_MESSAGE_BYTES = 9000;

  final PartitionId id;
  final ModelLog model;
  private final SimDisk disk;
  private final List<Held> held = new ArrayList<>();

  private StoreSettings settings;
  private boolean commitInForce;
  private @Nullable Partition partition;

  /** The first broken promise a callback met; it may have been swallowed on its way up. */
  private @Nullable Violation violation;

  /** An answer somebody has not sent yet, and what it must still hold then. */
  private record Held(Blob blob, ByteBuffer expected) {}

  LivePartition(PartitionId id, StoreSettings settings, SimDisk disk) {
    this.id = id;
    this.settings = settings;
    this.disk = disk;
    this.model = new ModelLog(id, settings.cleanup().compacts());
    model.configuring(settings);
  }

  StoreSettings settings() {
    return settings;
  }

  // Lives.

  void open(PartitionStores stores, Process process) throws IOException {
    held.clear();
    PartitionStore store = stores.open(id, settings);
    commitInForce = settings.flushPolicy() == FlushPolicy.COMMIT;
    partition =
        new Partition(
            id,
            store,
            new PartitionSettings(settings, MAX_MESSAGE_BYTES),
            process.surroundings(),
            visible -> {});
  }

  /** Reads all there is and compares it with what was promised before the process ended. */
  void walk(End end, Random random) throws IOException {
    Partition opened = live();
    PartitionStore.Snapshot now = opened.snapshot();
    if (now.isOffline()) {
      throw new Violation("%s: opened offline after %s: %s", id, end, now.offline());
    }
    model.walkBegins();
    Answers answers = new Answers(model);
    long offset = now.start();
    while (offset < opened.highWatermark()) {
      int maxBytes = 1 + random.nextInt(10_000);
      ReadResult result = opened.read(offset, maxBytes, true);
      if (!(result instanceof Entries entries)) {
        throw new Violation("%s: read(%d) after %s: %s, %s", id, offset, end, result, now);
      }
      offset = answers.check(offset, maxBytes, true, opened.highWatermark(), now, entries);
    }
    model.walkEnds(end, opened.snapshot(), opened.highWatermark());
  }

  CompletableFuture<Void> close(Reason reason) {
    releaseAll();
    return live().close(reason, "the test closes it");
  }

  private Partition live() {
    if (partition == null) {
      throw new IllegalStateException("not open");
    }
    return partition;
  }

  // Appends.

  void offer(Workload workload, int batches, Durability wanted) {
    Partition open = live();
    boolean drains = false;
    for (int i = 0; i < batches; i++) {
      Workload.Offer offer =
          settings.cleanup().compacts()
              ? workload.nextKeyed(model.nextNumber(), wanted)
              : workload.next(model.nextNumber(), wanted);
      model.offered(offer.sent());
      drains |= open.offer(offer.checked(), wanted, result -> answered(offer.sent(), result));
    }
    if (drains) {
      open.drain();
    }
  }

  private void answered(SentBatch batch, AppendResult result) {
    if (disk.isOff()) {
      // The process is dead; nobody hears this.
      return;
    }
    try {
      model.answered(batch, result, live().snapshot(), live().highWatermark());
    } catch (Violation e) {
      violation = violation == null ? e : violation;
      throw e;
    }
  }

  void checkAnswered() {
    List<SentBatch> unanswered = model.unanswered();
    if (!unanswered.isEmpty()) {
      throw new Violation("%s: at rest, and not answered: %s", id, unanswered);
    }
  }

  void configure(StoreSettings changed) {
    settings = changed;
    model.configuring(changed);
    boolean commit = changed.flushPolicy() == FlushPolicy.COMMIT;
    commitInForce &= commit;
    CompletableFuture<Void> done =
        live().configure(new PartitionSettings(changed, MAX_MESSAGE_BYTES));
    done.thenRun(() -> commitInForce |= commit && settings == changed);
  }

  // Looks.

  void look(boolean mayBeOffline) {
    if (violation != null) {
      throw violation;
    }
    PartitionStore.Snapshot now = live().snapshot();
    if (now.isOffline() && !mayBeOffline) {
      throw new Violation("%s: went offline without cause: %s", id, now.offline());
    }
    model.look(now, live().highWatermark(), commitInForce);
  }

  void read(Random random) throws IOException {
    PartitionStore.Snapshot now = live().snapshot();
    long highWatermark = live().highWatermark();
    Answers answers = new Answers(model);
    long range = now.end() - now.start() + 1;
    long offset = now.start() + random.nextLong(range);
    if (random.nextInt(20) == 0) {
      offset = random.nextBoolean() ? now.start() - 1 : now.end() + 1;
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      int maxBytes = 1 + random.nextInt(random.nextBoolean() ? 400 : 9000);
      boolean atLeastOne = random.nextInt(4) > 0;
      ReadResult result = live().read(offset, maxBytes, atLeastOne);
      if (offset < now.start() || offset > now.end()) {
        checkOutOfRange(offset, now, highWatermark, result);
        return;
      }
      switch (result) {
        case Entries entries when random.nextInt(6) == 0 -> hold(entries.blob());
        case Entries entries -> {
          long limit = Math.max(offset, highWatermark);
          offset = answers.check(offset, maxBytes, atLeastOne, limit, now, entries);
        }
        case ReadResult.Offline offline when now.isOffline() -> {}
        default ->
            throw new Violation("%s: read(%d, %d): %s, %s", id, offset, maxBytes, result, now);
      }
    }
    if (random.nextInt(3) == 0) {
      releaseAll();
    }
  }

  private void checkOutOfRange(
      long offset, PartitionStore.Snapshot now, long highWatermark, ReadResult result) {
    if (!(result instanceof ReadResult.OutOfRange range)
        || range.start() != now.start()
        || range.end() != highWatermark) {
      throw new Violation("%s: read(%d): %s, %s", id, offset, result, now);
    }
  }

  private void hold(Blob blob) throws IOException {
    held.add(new Held(blob, Blobs.look(blob)));
  }

  /** Held answers are sent now; whatever happened since, their bytes must be the same. */
  private void releaseAll() {
    for (Held answer : held) {
      try {
        ByteBuffer bytes = Blobs.take(answer.blob);
        if (!bytes.equals(answer.expected)) {
          throw new Violation("%s: the bytes of a leased answer changed", id);
        }
      } catch (IOException e) {
        throw new Violation("%s: a leased answer cannot be read: %s", id, e);
      }
    }
    held.clear();
  }

  void lookUpTime(long timestamp) throws IOException {
    PartitionStore.Snapshot now = live().snapshot();
    long to = live().highWatermark();
    if (to > now.start()) {
      checkAppendTime(now.start() + Math.floorMod(timestamp, to - now.start()));
    }
    if (settings.cleanup().compacts()) {
      TimeLookup found = live().offsetForTime(timestamp);
      model
          .lookUpProblem(timestamp, found, now.start(), to)
          .ifPresent(
              problem -> {
                throw new Violation("%s: offsetForTime(%d): %s", id, timestamp, problem);
              });
      return;
    }
    compare(
        "offsetForTime(" + timestamp + ")",
        model.placed.offsetForTime(timestamp, now.start(), to),
        live().offsetForTime(timestamp));
    compare(
        "latestTimestamp", model.placed.latestTimestamp(now.start(), to), live().latestTimestamp());
  }

  private void checkAppendTime(long offset) throws IOException {
    boolean compacts = settings.cleanup().compacts();
    AppendTimeLookup lookup = live().appendTime(offset);
    boolean right =
        switch (lookup) {
          case AppendTimeLookup.Found(long found, long time) ->
              (found == offset || (compacts && found > offset))
                  && model.placed.appendTime(found).orElse(time) == time;
          case AppendTimeLookup.None none -> compacts;
          case AppendTimeLookup.Unknown unknown -> false;
        };
    if (!right) {
      throw new Violation("%s: appendTime(%d): %s", id, offset, lookup);
    }
  }

  private void compare(String asked, Optional<TimeLookup> expected, TimeLookup found) {
    if (expected.isPresent() && !expected.get().equals(found)) {
      throw new Violation(
          "%s: %s: %s, expected %s; %s", id, asked, found, expected.get(), live().snapshot());
    }
  }

  void trim(Random random) throws IOException {
    PartitionStore.Snapshot now = live().snapshot();
    long offset = now.start() + random.nextLong(now.durable() - now.start() + 1);
    model.trimming(offset);
    live().trimTo(offset);
    if (live().snapshot().start() < offset) {
      throw new Violation("%s: trimmed to %d: %s", id, offset, live().snapshot());
    }
  }
}
