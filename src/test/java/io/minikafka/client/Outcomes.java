package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Hears what became of records, in the order it is told. */
final class Outcomes {
  private final List<String> told = new ArrayList<>();
  private final CountDownLatch all;

  Outcomes(int expected) {
    all = new CountDownLatch(expected);
  }

  /** Tells of one record by a name: {@code a@7} acknowledged, {@code a!NotSent} failed. */
  SendCallback of(String name) {
    return new SendCallback() {
      @Override
      public void acknowledged(Ack ack) {
        tell(name + "@" + ack.offset());
      }

      @Override
      public void failed(MinikafkaException failure) {
        tell(name + "!" + failure.getClass().getSimpleName().replace("Exception", ""));
      }
    };
  }

  private synchronized void tell(String what) {
    told.add(what);
    all.countDown();
  }

  synchronized List<String> soFar() {
    return List.copyOf(told);
  }

  List<String> await() throws InterruptedException {
    assertTrue(all.await(20, TimeUnit.SECONDS), () -> "told so far: " + soFar());
    return soFar();
  }
}
