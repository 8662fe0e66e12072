package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrewTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Limit LIMIT = new Limit(0, 100);

  private final AtomicInteger prepared = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void noLoadBeginsBeforeAllAreReadyAndTheirWorkIsAddedUp() throws Exception {
    List<Load> loads = List.of(counting(), counting(), counting());
    try (Crew crew = new Crew(loads, PATIENCE_NANOS)) {
      Work work = crew.run(LIMIT);
      assertEquals(3 * 10, work.records());
      assertEquals(3 * 33, work.wireBytes());
      assertTrue(work.nanos() > 0);
    }
    assertEquals(3, closed.get());
  }

  /** Says by its records whether all three were prepared, and takes its share of the bytes. */
  private Load counting() {
    return new Part() {
      @Override
      public Work run(Limit limit) {
        return new Work(prepared.get() == 3 ? 10 : 0, 0, limit.wireBytes(), 1);
      }
    };
  }

  @Test
  void failureOfOneLoadIsTheFailureOfTheRepetition() throws Exception {
    Load broken =
        new Part() {
          @Override
          public void prepare() throws IOException {
            throw new IOException("no partition");
          }

          @Override
          public Work run(Limit limit) {
            throw new AssertionError("was not prepared");
          }
        };
    try (Crew crew = new Crew(List.of(counting(), broken), PATIENCE_NANOS)) {
      IOException failure = assertThrows(IOException.class, () -> crew.run(LIMIT));
      assertEquals("no partition", failure.getMessage());
    }
  }

  @Test
  void loadThatIsNeverAnsweredIsTold() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Load stuck =
        new Part() {
          @Override
          public Work run(Limit limit) throws InterruptedException {
            never.await();
            return new Work(0, 0, 0, 1);
          }
        };
    try (Crew crew = new Crew(List.of(stuck), 1)) {
      IOException failure = assertThrows(IOException.class, () -> crew.run(LIMIT));
      assertTrue(failure.toString().contains("no answer within"), failure::toString);
    }
    assertEquals(1, closed.get());
  }

  private abstract class Part implements Load {
    @Override
    public void prepare() throws IOException {
      prepared.incrementAndGet();
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
