package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.group.GroupDescription;
import io.minikafka.group.GroupError;
import java.util.concurrent.CompletableFuture;

/**
 * Everything an operator can ask about consumer groups; nothing here changes any.
 *
 * <p><b>Threads.</b> Any, event loops too: what is asked waits for its turn with the coordinator,
 * and what needs the disk is done on the worker. Answers come on any thread.
 *
 * <p><b>Errors</b> are values: no such group, or groups are not served now and why.
 */
public final class GroupInspection {
  private final Coordinator coordinator;

  public GroupInspection(Coordinator coordinator) {
    this.coordinator = coordinator;
  }

  /** All there is to say about one group. */
  public CompletableFuture<Result<GroupDescription>> describe(Caller caller, String group) {
    return coordinator
        .describe(group)
        .thenApply(
            found -> found.map(Result::done).orElseGet(() -> Result.refused(unknownGroup(group))))
        .exceptionally(GroupInspection::refused);
  }

  /** The answer to whoever names a group that does not exist. */
  static Refusal unknownGroup(String group) {
    return Refusal.of(GroupError.UNKNOWN_GROUP, "there is no group '%s'".formatted(group));
  }

  /**
   * @throws RuntimeException if the failure is none that the coordinator tells of
   */
  static <T> Result<T> refused(Throwable failure) {
    return Result.refused(Refusal.of(Coordinator.RefusedException.of(failure).failed()));
  }
}
