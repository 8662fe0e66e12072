package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Caller;
import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.codec.Bytes;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.CoordinatorSettings;
import io.minikafka.coordinator.Surroundings;
import io.minikafka.group.GroupLimits;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.NoRoomException;
import io.minikafka.record.BatchBuilder;
import io.minikafka.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Resets over ten records of one a second, with the clocks and the disk in the test's hands. */
@Timeout(60)
class OffsetResetsTest {
  private static final Instant FIRST = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir Path directory;
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final HandTimers timers = new HandTimers();
  private TestBroker broker;
  private OffsetResets resets;
  private Instant now = FIRST;
  private int tokens;

  @BeforeEach
  void start() throws Exception {
    broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            new BrokerLimits(64 << 20, 16 << 20, 60_000, 100, 1_000),
            timers,
            worker,
            new HeapPool(),
            EngineObserver.NONE);
    Topic topic = broker.create("t", 1);
    broker.startGroups();
    for (int i = 0; i < 10; i++) {
      append(topic, FIRST.plusSeconds(i));
    }
    resets =
        new OffsetResets(
            broker.topics, broker.coordinator, worker, () -> now, () -> "plan-" + ++tokens);
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
    worker.shutdown();
  }

  private static void append(Topic topic, Instant time) {
    BatchBuilder batch = new BatchBuilder(64);
    batch.append(time.toEpochMilli(), null, new byte[] {1}, List.of());
    Entries.append(topic.partitions().getFirst(), Bytes.of(batch.version1()));
  }

  private PartitionReset planned(ResetTarget target) throws Exception {
    Result<OffsetPlan> plan =
        resets
            .plan(Caller.BROKER, "g", List.of(new PartitionSelection("t", List.of())), target)
            .get(10, TimeUnit.SECONDS);
    return ((Result.Done<OffsetPlan>) plan).value().partitions().getFirst();
  }

  private static ResetTarget.Time at(Instant time) {
    return new ResetTarget.Time(time.getEpochSecond(), time.getNano());
  }

  @Test
  void timeBetweenTwoRecordsIsTheLaterOne() throws Exception {
    for (Instant time :
        List.of(
            FIRST.plusMillis(3_001), FIRST.plusMillis(3_999), FIRST.plusNanos(3_000_000_001L))) {
      PartitionReset reset = planned(at(time));
      assertEquals(OptionalLong.of(4), reset.newOffset());
      assertEquals(List.of(), reset.warnings());
    }
  }

  @Test
  void timeOfARecordIsThatRecord() throws Exception {
    assertEquals(OptionalLong.of(3), planned(at(FIRST.plusSeconds(3))).newOffset());
    assertEquals(OptionalLong.of(0), planned(at(Instant.EPOCH)).newOffset());
    assertEquals(OptionalLong.of(0), planned(at(Instant.EPOCH.minusSeconds(1))).newOffset());
  }

  @Test
  void timeBeyondTheLastRecordIsTheEndAndThatIsSaid() throws Exception {
    PartitionReset reset = planned(at(FIRST.plusMillis(9_001)));
    assertEquals(OptionalLong.of(10), reset.newOffset());
    assertEquals(
        List.of("no record is of 2026-01-31T12:00:09.001Z or later: it is set to the end"),
        reset.warnings());
  }

  @Test
  void durationIsCountedBackFromTheBrokersClock() throws Exception {
    now = FIRST.plusSeconds(10);
    assertEquals(OptionalLong.of(5), planned(new ResetTarget.Ago(5, 0)).newOffset());
    assertEquals(OptionalLong.of(6), planned(new ResetTarget.Ago(4, 1_000_000)).newOffset());
    assertEquals(OptionalLong.of(10), planned(new ResetTarget.Ago(0, 0)).newOffset());
    assertEquals(OptionalLong.of(0), planned(new ResetTarget.Ago(315_576_000_000L, 0)).newOffset());
  }

  private <T> Result<T> get(CompletableFuture<Result<T>> answer) throws Exception {
    return answer.get(10, TimeUnit.SECONDS);
  }

  private OffsetPlan plan(ResetTarget target) throws Exception {
    return ((Result.Done<OffsetPlan>)
            get(
                resets.plan(
                    Caller.BROKER, "g", List.of(new PartitionSelection("t", List.of())), target)))
        .value();
  }

  private static Refusal refusal(Result<?> result) {
    return ((Result.Refused<?>) result).refusal();
  }

  @Test
  void planThatFoundNoRoomOnTheDiskCanBeAppliedWhenThereIsSome() throws Exception {
    OffsetPlan plan = plan(new ResetTarget.Offset(3));
    Topic log = broker.topics.topic(GroupTopics.OFFSETS_LOG.topic()).orElseThrow();
    FileStore store = broker.store(log, 0);
    store.appendFailure = Optional.of(new NoRoomException("full", new IOException("full")));
    Refusal full = refusal(get(resets.apply(Caller.BROKER, plan.token(), false, false)));
    assertEquals(Refusal.Kind.EXHAUSTED, full.kind());
    assertEquals("DISK_FULL", full.reason());

    store.appendFailure = Optional.empty();
    Result<AppliedReset> done = get(resets.apply(Caller.BROKER, plan.token(), false, false));
    while (done instanceof Result.Refused<AppliedReset>(Refusal refusal)) {
      assertTrue(
          List.of("DISK_FULL", Refusal.GROUPS_NOT_SERVED).contains(refusal.reason()),
          refusal::toString);
      timers.advanceMs(100);
      done = get(resets.apply(Caller.BROKER, plan.token(), false, false));
    }

    assertEquals(plan.partitions(), ((Result.Done<AppliedReset>) done).value().partitions());
  }

  @Test
  void whatAResetReplacedIsKnownToTheNextBroker() throws Exception {
    get(resets.apply(Caller.BROKER, plan(new ResetTarget.Offset(3)).token(), false, false));
    get(resets.apply(Caller.BROKER, plan(new ResetTarget.Offset(7)).token(), false, false));
    Coordinator next =
        new Coordinator(
            new CoordinatorSettings(GroupLimits.DEFAULTS, 600_000),
            new Surroundings(
                () -> now,
                timers,
                worker,
                new GroupTopics(broker.topics, List.of()),
                EngineObserver.NONE));
    broker.coordinator.stop().get(10, TimeUnit.SECONDS);
    next.start().get(10, TimeUnit.SECONDS);
    OffsetResets later =
        new OffsetResets(broker.topics, next, worker, () -> now, () -> "plan-" + ++tokens);

    Result<UndoneReset> undone = get(later.undo(Caller.BROKER, "g", false, false));

    PartitionReset one = ((Result.Done<UndoneReset>) undone).value().partitions().getFirst();
    assertEquals(OptionalLong.of(7), one.oldOffset());
    assertEquals(OptionalLong.of(3), one.newOffset());
    assertEquals(
        "NOTHING_TO_UNDO", refusal(get(later.undo(Caller.BROKER, "g", false, false))).reason());
    next.stop().get(10, TimeUnit.SECONDS);
  }
}
