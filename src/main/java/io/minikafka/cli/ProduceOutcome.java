package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.client.Ack;
import io.minikafka.client.Durability;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.SendCallback;
import org.jspecify.annotations.Nullable;

/** What became of the records that were sent. Any thread: the acknowledgements come on others. */
final class ProduceOutcome {
  // Guarded by this.
  private long acknowledgedBytes;
  private long acknowledged;
  private long failed;
  private @Nullable MinikafkaException failure;
  private @Nullable Durability least;

  /** For one record with a value of so many bytes. */
  SendCallback of(int valueBytes) {
    return new SendCallback() {
      @Override
      public void acknowledged(Ack ack) {
        accept(ack, valueBytes);
      }

      @Override
      public void failed(MinikafkaException error) {
        fail(error);
      }
    };
  }

  private synchronized void accept(Ack ack, int valueBytes) {
    acknowledged++;
    acknowledgedBytes += valueBytes;
    if (least == null || ack.durability().compareTo(least) < 0) {
      least = ack.durability();
    }
  }

  private synchronized void fail(MinikafkaException error) {
    failed++;
    if (failure == null) {
      failure = error;
    }
  }

  /** The first failure, if there was one. */
  synchronized @Nullable MinikafkaException failure() {
    return failure;
  }

  synchronized void show(Progress progress) {
    progress.show(acknowledged, acknowledgedBytes);
  }

  synchronized String summary(Progress progress) {
    String line = progress.summary(acknowledged, acknowledgedBytes);
    if (least != null) {
      line +=
          switch (least) {
            case TOPIC_POLICY -> "; acknowledged as the topic's flush policy says";
            case WRITTEN -> "; acknowledged as written";
            case FLUSHED -> "; acknowledged as flushed";
          };
    }
    return failed == 0
        ? line
        : "%s; %s not acknowledged".formatted(line, Counted.grouped(failed, "record"));
  }
}
