package io.minikafka.broker;

import io.minikafka.coordinator.GroupReply;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupResult;
import io.minikafka.protocol.ErrorCode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A request that the coordinator has, and the connection that waits for it. Answered once: by the
 * coordinator, or when the connection is gone. Any thread.
 */
final class GroupCall<R> implements Consumer<GroupReply> {
  private final Session session;
  private final Consumer<Reply<R>> done;
  private final Function<GroupResult, Reply<R>> reply;
  private final AtomicBoolean answered = new AtomicBoolean();

  /**
   * @param reply makes an answer of every result but a refusal
   */
  GroupCall(Session session, Consumer<Reply<R>> done, Function<GroupResult, Reply<R>> reply) {
    this.session = session;
    this.done = done;
    this.reply = reply;
  }

  @Override
  public void accept(GroupReply answer) {
    if (answered.compareAndSet(false, true)) {
      session.answered(this);
      done.accept(
          switch (answer) {
            case GroupReply.Failed(GroupReply.Cause cause, String message) ->
                Reply.failure(code(cause), message);
            case GroupReply.Answered(GroupResult.Refused(GroupError error, String message)) ->
                Reply.failure(code(error), message);
            case GroupReply.Answered(GroupResult result) -> reply.apply(result);
          });
    }
  }

  /** The connection is gone. */
  void abandon() {
    if (answered.compareAndSet(false, true)) {
      done.accept(new Reply.Abandoned<>());
    }
  }

  private static ErrorCode code(GroupReply.Cause cause) {
    return switch (cause) {
      case DISK_FULL -> ErrorCode.DISK_FULL;
      case STORAGE_FAILED -> ErrorCode.STORAGE_FAILED;
      case INTERNAL -> ErrorCode.INTERNAL_ERROR;
      case LOADING -> ErrorCode.NOT_LEADER;
      case SHUTTING_DOWN -> ErrorCode.SHUTTING_DOWN;
    };
  }

  static ErrorCode code(GroupError error) {
    return switch (error) {
      case UNKNOWN_TOPIC -> ErrorCode.UNKNOWN_TOPIC;
      case OFFSET_OUT_OF_RANGE -> ErrorCode.OFFSET_OUT_OF_RANGE;
      case UNKNOWN_MEMBER -> ErrorCode.UNKNOWN_MEMBER;
      case ILLEGAL_GENERATION -> ErrorCode.ILLEGAL_GENERATION;
      case REBALANCE_IN_PROGRESS -> ErrorCode.REBALANCE_IN_PROGRESS;
      case NOT_OWNER -> ErrorCode.NOT_OWNER;
      case FENCED_INSTANCE -> ErrorCode.FENCED_INSTANCE;
      case LIMIT_REACHED -> ErrorCode.LIMIT_REACHED;
      // The last four answer the control plane only.
      case INVALID_REQUEST, UNKNOWN_GROUP, GROUP_IN_USE, STATE_MOVED, NOTHING_TO_UNDO ->
          ErrorCode.INVALID_REQUEST;
    };
  }
}
