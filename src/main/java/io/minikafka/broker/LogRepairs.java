package io.minikafka.broker;

import io.minikafka.broker.LogAdministration.Cuts;
import io.minikafka.broker.LogTargets.Target;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.protocol.ErrorCode;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Repairs of partitions, and what follows from them for those who read there. Any thread. */
final class LogRepairs {
  private final Executor worker;
  private final ParkedFetches parkedFetches;
  private final Cuts cuts;

  LogRepairs(Executor worker, ParkedFetches parkedFetches, Cuts cuts) {
    this.worker = worker;
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
    return CompletableFuture.supplyAsync(() -> run(target, action, offset, validateOnly), worker)
        .thenCompose(result -> settled(target, validateOnly, result));
  }

  private static Result<Repair> run(
      Target target, RepairAction action, long offset, boolean validateOnly) {
    try {
      return switch (target.partition().repair(action, offset, validateOnly)) {
        case RepairResult.Done(Repair repair) -> Result.done(repair);
        case RepairResult.Refused(RepairResult.Reason reason, String message) ->
            Result.refused(refusal(reason, target.text() + ": " + message));
      };
    } catch (IOException e) {
      return Result.refused(
          Refusal.of(
              ErrorCode.STORAGE_FAILED,
              "repairing %s failed: %s".formatted(target.text(), e.getMessage())));
    }
  }

  private static Refusal refusal(RepairResult.Reason reason, String message) {
    return switch (reason) {
      case NOT_DAMAGED -> Refusal.of(Refusal.Kind.STATE, "NOT_DAMAGED", message);
      case NOT_POSSIBLE -> Refusal.of(Refusal.Kind.STATE, "NOT_POSSIBLE", message);
      case NO_ROOM -> Refusal.of(ErrorCode.DISK_FULL, message);
      case CLOSED -> Refusal.of(ErrorCode.UNKNOWN_TOPIC, message);
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
