package io.minikafka.broker;

import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Outcome;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Moves the log starts of partitions of one topic up: everything is checked first, then done one
 * partition after the other, on the worker.
 */
final class RecordDeletion {
  private final Executor worker;

  RecordDeletion(Executor worker) {
    this.worker = worker;
  }

  /** One partition, with the offset that was asked for resolved to a real one. */
  private record Step(Partition partition, long offset) {}

  CompletableFuture<Outcome<List<LogStart>>> delete(
      Topic topic, List<LogStart> wanted, boolean validateOnly) {
    List<Step> steps = new ArrayList<>();
    Optional<TopicError> error = check(topic, wanted, steps);
    if (error.isPresent()) {
      return CompletableFuture.completedFuture(Outcome.refused(error.get()));
    }
    if (validateOnly) {
      return CompletableFuture.completedFuture(
          Outcome.done(
              steps.stream()
                  .map(step -> start(step, Math.max(step.offset, start(step.partition))))
                  .toList()));
    }
    // What is not yet durable cannot be given up: forced first, all partitions together.
    return CompletableFuture.allOf(
            steps.stream()
                .filter(step -> step.offset > step.partition.snapshot().durable())
                .map(step -> step.partition.flush())
                .toArray(CompletableFuture<?>[]::new))
        .thenApplyAsync(forced -> trim(topic, steps), worker);
  }

  private static Optional<TopicError> check(Topic topic, List<LogStart> wanted, List<Step> steps) {
    if (wanted.isEmpty()) {
      return Optional.of(TopicError.invalid("partitions", "no partition is named"));
    }
    Set<Integer> seen = new HashSet<>();
    for (LogStart next : wanted) {
      Optional<Partition> partition = topic.partition(next.partition());
      if (partition.isEmpty()) {
        return Optional.of(
            TopicError.of(ErrorCode.UNKNOWN_TOPIC, topic.noPartition(next.partition())));
      }
      if (!seen.add(next.partition())) {
        return Optional.of(
            TopicError.invalid(
                "partitions", "partition %d is named twice".formatted(next.partition())));
      }
      long highWatermark = partition.get().highWatermark();
      if (next.offset() < LogStart.HIGH_WATERMARK) {
        return Optional.of(
            TopicError.invalid(
                "offset",
                "offset %d of partition %d must be -1 (the high watermark) or more"
                    .formatted(next.offset(), next.partition())));
      }
      if (next.offset() > highWatermark) {
        return Optional.of(
            TopicError.of(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                "offset %d of partition %d is above its high watermark %d"
                    .formatted(next.offset(), next.partition(), highWatermark)));
      }
      boolean all = next.offset() == LogStart.HIGH_WATERMARK;
      steps.add(new Step(partition.get(), all ? highWatermark : next.offset()));
    }
    return Optional.empty();
  }

  private static Outcome<List<LogStart>> trim(Topic topic, List<Step> steps) {
    List<LogStart> done = new ArrayList<>();
    for (Step step : steps) {
      try {
        long durable = step.partition.snapshot().durable();
        if (step.offset > durable) {
          throw new IOException("only what lies below %d is durable".formatted(durable));
        }
        step.partition.trimTo(step.offset);
        done.add(start(step, start(step.partition)));
      } catch (IOException e) {
        return Outcome.refused(
            ErrorCode.STORAGE_FAILED,
            "deleting records of partition %d of topic '%s' failed (%s); done are %s"
                .formatted(number(step), topic.name(), e.getMessage(), done));
      }
    }
    return Outcome.done(List.copyOf(done));
  }

  private static LogStart start(Step step, long offset) {
    return new LogStart(number(step), offset);
  }

  private static long start(Partition partition) {
    return partition.snapshot().start();
  }

  private static int number(Step step) {
    return step.partition.id().partition();
  }
}
