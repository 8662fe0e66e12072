package io.minikafka.coordinator;

import io.minikafka.group.GroupEvent;
import io.minikafka.group.Groups;
import io.minikafka.partition.Partition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** What lies in the coordinator's mailbox. */
sealed interface Mail {
  /**
   * A request.
   *
   * @param done gets what comes of it, once
   */
  record Ask(long ticket, long connection, GroupEvent event, Consumer<GroupReply> done)
      implements Mail {}

  /** Something has happened that nobody waits for an answer to. */
  record Tell(GroupEvent event) implements Mail {}

  /** A deadline has come. */
  record Due() implements Mail {}

  /** Somebody wants to see the groups. */
  record Look(Consumer<Groups> look, Consumer<GroupReply.Failed> refused) implements Mail {}

  /** The log is to be read. */
  record Load() implements Mail {}

  /** The log is open. */
  record Opened(Partition offsetsLog) implements Mail {}

  /** The log could not be opened. */
  record NotOpened(String reason) implements Mail {
    static NotOpened because(Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      return new NotOpened(String.valueOf(cause.getMessage()));
    }
  }

  /** It is time to look for commits that nobody needs any more. */
  record Sweep() implements Mail {}

  record Stop(CompletableFuture<Void> done) implements Mail {}
}
