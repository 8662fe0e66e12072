package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.HandExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MailboxTest {
  private final HandExecutor worker = new HandExecutor();
  private long now;

  /** What was handled, one line a burst. */
  private final List<String> bursts = new ArrayList<>();

  private final List<Runnable> ends = new ArrayList<>();

  private final Mailbox<String> mailbox = new Mailbox<>(worker, () -> now, this::keep);

  private void keep(Mailbox.Burst<String> burst, Runnable ended) {
    StringBuilder line = new StringBuilder();
    for (var next = burst.next(); next != null; next = burst.next()) {
      line.append(next.event()).append('@').append(next.atNanos()).append(' ');
    }
    bursts.add(line.toString().strip());
    ends.add(ended);
  }

  @Test
  void whatWaitsIsOneBurstInTheOrderItCame() {
    mailbox.post("a");
    now = 5;
    mailbox.post("b");
    worker.runAll();
    assertEquals(List.of("a@0 b@5"), bursts);
  }

  @Test
  void whatComesDuringABurstWaitsForItsEnd() {
    mailbox.post("a");
    worker.runAll();
    mailbox.post("b");
    assertEquals(0, worker.waiting());
    ends.removeFirst().run();
    worker.runAll();
    assertEquals(List.of("a@0", "b@0"), bursts);
    assertEquals(1, mailbox.depth());
    ends.removeFirst().run();
    assertEquals(0, mailbox.depth());
  }

  @Test
  void whatABurstLeavesIsTheNext() {
    Mailbox<String> single =
        new Mailbox<>(
            worker,
            () -> now,
            (burst, ended) -> {
              Mailbox.@Nullable Posted<String> first = burst.next();
              bursts.add(first == null ? "" : first.event());
              ended.run();
            });
    single.post("a");
    single.post("b");
    worker.runAll();
    assertEquals(List.of("a", "b"), bursts);
  }

  @Test
  void whatComesAfterTheWorkerStoppedIsStillHandled() {
    worker.stop();
    mailbox.post("a");
    assertEquals(List.of("a@0"), bursts);
  }

  @Test
  void eventsOfManyThreadsAreHandledOnceAndOneBurstAtATime() throws InterruptedException {
    int posters = 4;
    int each = 20_000;
    AtomicBoolean busy = new AtomicBoolean();
    AtomicInteger last = new AtomicInteger();
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch all = new CountDownLatch(posters * each);
    AtomicBoolean overlapped = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(posters + 2)) {
      Mailbox<Integer> shared =
          new Mailbox<>(
              threads,
              System::nanoTime,
              (burst, ended) -> {
                if (!busy.compareAndSet(false, true)) {
                  overlapped.set(true);
                }
                int taken = 0;
                for (var next = burst.next(); next != null; next = burst.next()) {
                  seen.add(next.event());
                  taken++;
                  if (taken == 100) {
                    break;
                  }
                }
                last.set(taken);
                busy.set(false);
                // Often on another thread than the one that began.
                threads.execute(ended);
                for (int i = 0; i < taken; i++) {
                  all.countDown();
                }
              });
      for (int poster = 0; poster < posters; poster++) {
        int number = poster;
        threads.execute(
            () -> {
              for (int i = 0; i < each; i++) {
                shared.post(number * each + i);
              }
            });
      }
      assertTrue(all.await(30, TimeUnit.SECONDS));
    }
    assertFalse(overlapped.get());
    assertEquals(posters * each, seen.size());
    int[] next = new int[posters];
    for (int event : seen) {
      assertEquals(next[event / each]++, event % each);
    }
  }
}
