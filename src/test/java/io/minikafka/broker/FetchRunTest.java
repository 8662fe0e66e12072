package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a fetch reads again, whatever its plan says. */
class FetchRunTest {
  @TempDir Path directory;

  private final HandTimers timers = new HandTimers();
  private final HandPeer peer = new HandPeer();
  private final List<Reply<String>> replies = new ArrayList<>();
  private final List<String> fetched = new ArrayList<>();
  private TestBroker broker;
  private Session session;
  private Partition partition;

  @BeforeEach
  void start() throws Exception {
    BrokerLimits limits = new BrokerLimits(1 << 20, 100_000, 60_000, 10, 1_000);
    broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            limits,
            timers,
            Runnable::run,
            new HeapPool(),
            EngineObserver.NONE);
    partition = broker.create("t", 1).partitions().getFirst();
    session = broker.dispatcher.open(TestBroker.caller(1), peer);
  }

  @AfterEach
  void nothingWaits() throws Exception {
    session.close();
    assertEquals(0, broker.parkedFetches.count());
    broker.close();
  }

  /** Always thinks that reading again is worth it. */
  private class EagerPlan implements FetchPlan<String> {
    final int enoughReads;
    int reads;

    EagerPlan(int enoughReads) {
      this.enoughReads = enoughReads;
    }

    @Override
    public List<Partition> watched() {
      return List.of(partition);
    }

    @Override
    public boolean mayBlock() {
      return false;
    }

    @Override
    public Attempt<String> read() {
      reads++;
      return new Attempt<>("read " + reads, reads >= enoughReads, 10, 1000);
    }

    @Override
    public boolean worthReading() {
      return true;
    }

    @Override
    public void discard(String response) {}
  }

  private void run(FetchPlan<String> plan) {
    long waitNanos = TimeUnit.MILLISECONDS.toNanos(4000);
    new FetchRun<>(
            plan,
            session,
            Runnable::run,
            timers,
            broker.parkedFetches,
            waitNanos,
            new EngineObserver() {
              @Override
              public void onFetched(long records, long bytes) {
                fetched.add(records + " records, " + bytes + " bytes");
              }
            },
            reply -> replies.add(reply))
        .start();
    peer.run();
  }

  @Test
  void whatAnEventLoopMayNotLookAtIsReadOnceMoreOnTheWorkerAndOnlyThatIsAnswered() {
    List<String> discarded = new ArrayList<>();
    run(
        new EagerPlan(1) {
          @Override
          public boolean isForWorker() {
            return reads == 1;
          }

          @Override
          public boolean mayBlock() {
            return reads == 1;
          }

          @Override
          public void discard(String response) {
            discarded.add(response);
          }
        });
    assertEquals(List.of(Reply.answer("read 2")), replies);
    assertEquals(List.of("read 1"), discarded);
    assertEquals(List.of("10 records, 1000 bytes"), fetched);
  }

  @Test
  void readingThatFoundNothingIsNotRepeatedBeforeSomethingBecameVisible() {
    EagerPlan plan = new EagerPlan(Integer.MAX_VALUE);
    run(plan);
    broker.parkedFetches.wake(partition);
    peer.run();
    assertEquals(1, plan.reads);
    Entries.append(partition, Entries.batch("a"));
    peer.run();
    assertEquals(2, plan.reads);
    assertTrue(replies.isEmpty());
    timers.advanceMs(4000);
    peer.run();
    assertEquals(List.of(Reply.answer("read 3")), replies);
  }

  @Test
  void whatWasReadAgainAndAgainIsCountedOnceWhenItIsAnswered() {
    EagerPlan plan = new EagerPlan(3);
    run(plan);
    assertEquals(1, broker.parkedFetches.count());
    Entries.append(partition, Entries.batch("a"));
    broker.parkedFetches.wake(partition);
    peer.run();
    assertEquals(1, broker.parkedFetches.count());
    assertEquals(List.of(), fetched);
    Entries.append(partition, Entries.batch("a"));
    broker.parkedFetches.wake(partition);
    peer.run();
    assertEquals(3, plan.reads);
    assertEquals(List.of("10 records, 1000 bytes"), fetched);
  }

  @Test
  void progressDuringEveryReadingDoesNotGrowTheStack() {
    run(
        new EagerPlan(20_000) {
          @Override
          public Attempt<String> read() {
            Entries.append(partition, Entries.batch("a"));
            return super.read();
          }
        });
    assertEquals(List.of(Reply.answer("read 20000")), replies);
  }
}
