package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.coordinator.GroupReply;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupResult;
import io.minikafka.topic.TopicError.FieldError;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is done to groups from outside: what the coordinator made of it, and the line in the
 * broker's log. Stateless.
 */
final class GroupAudit {
  private static final System.Logger LOG = System.getLogger(GroupAudit.class.getName());

  /** A line names no more partitions. */
  private static final int NAMED_PARTITIONS = 10;

  private static final int MAX_CHARS = 60;

  private GroupAudit() {}

  /**
   * One line: who did what to a group from where, and to which partitions.
   *
   * @param what for example {@code "offsets of group 'g' were set"}
   */
  static void log(Caller caller, String what, List<String> partitions) {
    Supplier<String> line =
        () ->
            "%s by %s at %s: %s%s"
                .formatted(
                    what,
                    caller.principal(),
                    caller.host().isEmpty() ? "the broker" : caller.host(),
                    partitions.isEmpty()
                        ? "no partition"
                        : String.join(
                            ", ",
                            partitions.subList(0, Math.min(NAMED_PARTITIONS, partitions.size()))),
                    partitions.size() > NAMED_PARTITIONS
                        ? " and %d more".formatted(partitions.size() - NAMED_PARTITIONS)
                        : "");
    LOG.log(Level.INFO, line);
  }

  static String inWords(PartitionReset reset) {
    return "%s-%d %s → %s"
        .formatted(
            reset.topic(),
            reset.partition(),
            reset.oldOffset().isPresent() ? reset.oldOffset().getAsLong() : "none",
            reset.newOffset().isPresent() ? reset.newOffset().getAsLong() : "none");
  }

  /** What the coordinator answered, or why it refused. */
  static Result<GroupResult> result(GroupReply reply) {
    return switch (reply) {
      case GroupReply.Failed failed -> Result.refused(Refusal.of(failed));
      case GroupReply.Answered(GroupResult.Refused(GroupError error, String message)) ->
          Result.refused(Refusal.of(error, message));
      case GroupReply.Answered(GroupResult result) -> Result.done(result);
    };
  }

  /** What somebody sent, printable and short. */
  static String echo(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(MAX_CHARS)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(out::appendCodePoint);
    return out.length() < text.length() ? out + "…" : out.toString();
  }

  static List<FieldError> field(String field, String message) {
    return List.of(new FieldError(field, message));
  }
}
