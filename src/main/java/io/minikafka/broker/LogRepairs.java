package io.minikafka.broker;

import io.minikafka.broker.LogAdministration.Cuts;
import io.minikafka.broker.LogTargets.Target;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.protocol.ErrorCode;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Repairs of partitions, and what follows from them for those who read there. Any thread. */
final class LogRepairs {
  private final ParkedFetches parkedFetches;
  private final Cuts cuts;

  LogRepairs(ParkedFetches parkedFetches, Cuts cuts) {
    this.parkedFetches = parkedFetches;
    this.cuts = cuts;
  }

  CompletableFuture<Result<Repair>> repair(
      Target target, RepairAction action, long offset, boolean validateOnly) {
    boolean isServed = !target.partition().snapshot().isOffline();
    if (action == RepairAction.CUT && target.topic().isInternal() && isServed) {
      return CompletableFuture.completedFuture(
          Result.refused(
              Refusal.of(
                  Refusal.Kind.STATE,
                  "NOT_POSSIBLE",
                  "the broker goes by what is in %s; skip the damage, nothing else is lost then"
                      .formatted(target.text()))));
    }
    return target
        .partition()
        .repair(action, offset, validateOnly)
        .handle((result, failure) -> answer(target, result, failure))
        .thenCompose(result -> settled(target, validateOnly, result));
  }

  private static Result<Repair> answer(
      Target target, @Nullable RepairResult result, @Nullable Throwable failure) {
    return switch (result) {
      case RepairResult.Done(Repair repair) -> Result.done(repair);
      case RepairResult.Refused(RepairResult.Reason reason, String message) ->
          Result.refused(refusal(reason, target.text() + ": " + message));
      case null -> {
        if (failure instanceof IOException e) {
          yield Result.refused(
              Refusal.of(
                  ErrorCode.STORAGE_FAILED,
                  "repairing %s failed: %s".formatted(target.text(), e.getMessage())));
        }
        throw new CompletionException(failure);
      }
    };
  }

  private static Refusal refusal(RepairResult.Reason reason, String message) {
    return switch (reason) {
      case NOT_DAMAGED -> Refusal.of(Refusal.Kind.STATE, "NOT_DAMAGED", message);
      case NOT_POSSIBLE -> Refusal.of(Refusal.Kind.STATE, "NOT_POSSIBLE", message);
      case NO_ROOM -> Refusal.of(ErrorCode.DISK_FULL, message);
      case CLOSED -> Refusal.of(ErrorCode.UNKNOWN_TOPIC, message);
      case SHUTTING_DOWN -> Refusal.of(ErrorCode.SHUTTING_DOWN, message);
    };
  }

  private CompletableFuture<Result<Repair>> settled(
      Target target, boolean validateOnly, Result<Repair> result) {
    if (validateOnly || !(result instanceof Result.Done<Repair>(Repair repair))) {
      return CompletableFuture.completedFuture(result);
    }
    CompletableFuture<Void> told =
        repair.action() == RepairAction.CUT
            ? cuts.cut(target.partition().id(), repair.end())
            : CompletableFuture.completedFuture(null);
    return told.handle(
        (done, failure) -> {
          // Who waits here may wait for offsets that are gone, or for what can be read now.
          parkedFetches.wakeForGood(target.partition());
          return result;
        });
  }
}
