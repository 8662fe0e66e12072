package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.minikafka.Counted;
import io.minikafka.client.Ack;
import io.minikafka.client.Durability;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.SendCallback;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What became of the records that were sent. Any thread: the acknowledgements come on others. */
final class ProduceOutcome {
  // Guarded by this.
  private long acknowledgedBytes;
  private long acknowledged;
  private long taken;
  private @Nullable MinikafkaException failure;
  private @Nullable Durability least;
  private final NavigableMap<Integer, Part> parts = new TreeMap<>();

  /** What of one partition was acknowledged; others may have written in between. */
  private record Part(long records, long firstOffset, long lastOffset) {
    Part with(Part other) {
      return new Part(
          records + other.records,
          Math.min(firstOffset, other.firstOffset),
          Math.max(lastOffset, other.lastOffset));
    }
  }

  /** For one record with a value of so many bytes. */
  SendCallback of(int valueBytes) {
    synchronized (this) {
      taken++;
    }
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
    parts.merge(ack.partition().partition(), new Part(1, ack.offset(), ack.offset()), Part::with);
    if (least == null || ack.durability().compareTo(least) < 0) {
      least = ack.durability();
    }
  }

  private synchronized void fail(MinikafkaException error) {
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

  /** The fields of the one object for programs. */
  synchronized void json(JsonGenerator json, String topic) throws IOException {
    json.writeStringField("topic", topic);
    json.writeNumberField("recordCount", acknowledged);
    json.writeNumberField("failedRecordCount", taken - acknowledged);
    json.writeNumberField("valueBytes", acknowledgedBytes);
    if (least != null) {
      json.writeStringField(
          "durability",
          switch (least) {
            case TOPIC_POLICY -> "topic";
            case WRITTEN -> "written";
            case FLUSHED -> "flushed";
          });
    }
    json.writeArrayFieldStart("partitions");
    for (Map.Entry<Integer, Part> part : parts.entrySet()) {
      json.writeStartObject();
      json.writeNumberField("partition", part.getKey());
      json.writeNumberField("recordCount", part.getValue().records);
      json.writeNumberField("firstOffset", part.getValue().firstOffset);
      json.writeNumberField("lastOffset", part.getValue().lastOffset);
      json.writeEndObject();
    }
    json.writeEndArray();
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
    return taken == acknowledged
        ? line
        : "%s; %s not acknowledged"
            .formatted(line, Counted.grouped(taken - acknowledged, "record"));
  }
}
