package io.minikafka.cli;

import com.google.protobuf.Duration;
import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupState;
import io.minikafka.admin.v1.PartitionLag;
import io.minikafka.admin.v1.TopicPartitions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which groups a command shows, and what of them. */
final class GroupsParameters {
  @Parameters(paramLabel = "GROUP", arity = "0..*", description = "Which groups.")
  List<String> positional = new ArrayList<>();

  @Option(names = "--group", paramLabel = "G", hidden = true, description = "As GROUP.")
  List<String> named = new ArrayList<>();

  @Option(names = "--all-groups", description = "All of them.")
  boolean all;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC[:N,N…]",
      converter = PartitionsConverter.class,
      description = "Only these partitions, or all of a topic; may be repeated.")
  List<TopicPartitions> topics = new ArrayList<>();

  @Option(
      names = "--state",
      paramLabel = "empty|stable|rebalancing",
      description = "Only groups in this state.")
  @Nullable WantedState state;

  /**
   * Those that were named, once each; none if all are wanted.
   *
   * @throws ParameterException if both were said
   */
  Set<String> names(CommandSpec spec) {
    Set<String> names = new LinkedHashSet<>(positional);
    names.addAll(named);
    if (all && !names.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "GROUP and --all-groups exclude each other");
    }
    return names;
  }

  /** Which options choose among the groups, as the end of a sentence. */
  String asked() {
    return topics.isEmpty()
        ? "--state asks for"
        : state == null ? "--topic asks for" : "--topic and --state ask for";
  }

  boolean wants(GroupState of) {
    return state == null || state.is(of);
  }

  boolean wantsAllPartitions() {
    return topics.isEmpty();
  }

  List<PartitionLag> wanted(List<PartitionLag> lags) {
    return wantsAllPartitions() ? lags : lags.stream().filter(this::wants).toList();
  }

  private boolean wants(PartitionLag lag) {
    return topics.stream()
        .filter(wanted -> wanted.getTopic().equals(lag.getTopic()))
        .anyMatch(
            wanted ->
                wanted.getPartitionsCount() == 0
                    || wanted.getPartitionsList().contains(lag.getPartition()));
  }

  /** The group as if it had only the wanted partitions. */
  Group narrowed(Group group, List<PartitionLag> wanted) {
    if (wantsAllPartitions()) {
      return group;
    }
    Group.Builder narrowed =
        group.toBuilder()
            .setCommittedPartitionCount(count(wanted, PartitionLag::hasCommittedOffset))
            .setUnknownLagPartitionCount(count(wanted, lag -> !lag.hasLagRecords()))
            .setTotalLagRecords(wanted.stream().mapToLong(PartitionLag::getLagRecords).sum())
            .clearMaxLagTime();
    wanted.stream()
        .filter(PartitionLag::hasLagTime)
        .map(PartitionLag::getLagTime)
        .max(Comparator.comparingLong(Duration::getSeconds).thenComparing(Duration::getNanos))
        .ifPresent(narrowed::setMaxLagTime);
    return narrowed.build();
  }

  private static int count(
      List<PartitionLag> lags, java.util.function.Predicate<PartitionLag> condition) {
    return (int) lags.stream().filter(condition).count();
  }
}
