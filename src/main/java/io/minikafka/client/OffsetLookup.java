package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.ListOffsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the server where partitions begin and end, and turns start points into offsets. Questions
 * may come from any thread; {@link #resolve} belongs to the thread that owns the partitions.
 */
final class OffsetLookup {
  private final Link link;
  private final Topics topics;
  private final ResetPolicy reset;

  OffsetLookup(Link link, ResetPolicy reset) {
    this.link = link;
    this.topics = new Topics(link);
    this.reset = reset;
  }

  Topics topics() {
    return topics;
  }

  /**
   * What was learnt of some partitions.
   *
   * @param generations the partitions', when it was asked
   * @param committed of those whose start point that is, as far as there is anything
   * @param offsets of the others that were not resolved
   */
  record Findings(
      Map<String, TopicInfo> topics,
      List<Integer> generations,
      Map<TopicPartition, CommittedOffset> committed,
      Map<TopicPartition, Long> offsets) {}

  /** Learns topics and start offsets of these partitions, as far as they are not known. */
  CompletableFuture<Findings> ask(List<AssignedPartition> partitions) {
    List<Integer> generations = new ArrayList<>();
    Map<TopicPartition, Long> queries = new LinkedHashMap<>();
    List<AssignedPartition> resuming = new ArrayList<>();
    Map<String, TopicInfo> given = new HashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (AssignedPartition state : partitions) {
      generations.add(state.generation());
      if (state.isSeated()) {
        state.topic().ifPresent(topic -> given.put(topic.name(), topic));
      } else {
        names.add(state.partition().topic());
      }
      if (state.isDoubted()) {
        topics.forget(state.partition().topic());
      }
      if (!state.isResolved() && state.start() instanceof StartPoint.Committed) {
        resuming.add(state);
      } else if (!state.isResolved()) {
        queries.put(state.partition(), query(state));
      }
    }
    return committed(resuming)
        .thenCompose(
            committed -> {
              addResets(resuming, committed, queries);
              return infos(given, names)
                  .thenCompose(
                      infos ->
                          offsets(infos, queries)
                              .thenCompose(found -> endsInstead(infos, queries, found))
                              .thenApply(
                                  found -> new Findings(infos, generations, committed, found)));
            })
        .whenComplete(
            (found, thrown) -> {
              if (thrown != null) {
                forgetIfUnknown(names, thrown);
              }
            });
  }

  private static CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      List<AssignedPartition> resuming) {
    return !resuming.isEmpty()
            && resuming.getFirst().start() instanceof StartPoint.Committed committed
        ? committed.source().committed(resuming)
        : CompletableFuture.completedFuture(Map.of());
  }

  /** Where nothing is committed the reset policy decides. */
  private void addResets(
      List<AssignedPartition> resuming,
      Map<TopicPartition, CommittedOffset> committed,
      Map<TopicPartition, Long> queries) {
    for (AssignedPartition state : resuming) {
      if (!committed.containsKey(state.partition()) && reset != ResetPolicy.FAIL) {
        long query = reset == ResetPolicy.EARLIEST ? ListOffsets.START : ListOffsets.HIGH_WATERMARK;
        queries.put(state.partition(), query);
      }
    }
  }

  /** Puts what was found into the partitions that are still as they were when it was asked. */
  void resolve(List<AssignedPartition> partitions, Findings findings) {
    for (int i = 0; i < partitions.size(); i++) {
      AssignedPartition state = partitions.get(i);
      TopicInfo info = findings.topics().get(state.partition().topic());
      if (info == null || state.generation() != findings.generations().get(i)) {
        continue;
      }
      Optional<TopicInfo> known = state.topic();
      boolean replaced = known.filter(before -> isOther(before, info)).isPresent();
      boolean denied =
          state.isDoubted() && known.filter(before -> isSame(before, info)).isPresent();
      state.learn(info);
      if (denied) {
        throw new ServerException(
            ErrorCode.UNKNOWN_TOPIC,
            "%s: the server describes the topic but does not serve the partition"
                .formatted(state.partition()));
      }
      if (replaced && state.isResolved()) {
        restart(state);
      } else if (!state.isResolved()) {
        resolve(state, findings);
      }
    }
  }

  private static void resolve(AssignedPartition state, Findings findings) {
    CommittedOffset committed = findings.committed().get(state.partition());
    Long offset = findings.offsets().get(state.partition());
    if (committed != null) {
      state.resolveCommitted(committed);
    } else if (offset != null) {
      state.resolve(offset);
    } else if (state.start() instanceof StartPoint.Committed start) {
      throw new IllegalStateException(
          "group %s has committed nothing of %s: seek, or choose a reset policy"
              .formatted(start.source().group(), state.partition()));
    }
  }

  private static boolean isSame(TopicInfo before, TopicInfo now) {
    return before.version() == now.version() && before.id().equals(now.id());
  }

  /** Version 0 cannot tell. */
  private static boolean isOther(TopicInfo before, TopicInfo now) {
    return before.version() == 1 && now.version() == 1 && !before.id().equals(now.id());
  }

  /** The position means nothing any more: go where the reset policy says. */
  private void restart(AssignedPartition state) {
    long position = state.position();
    state.seek(new StartPoint.Unsaid());
    if (reset == ResetPolicy.FAIL) {
      throw new ServerException(
          ErrorCode.UNKNOWN_TOPIC,
          "%s: the topic was deleted and created again; position %d means nothing there"
              .formatted(state.partition(), position));
    }
  }

  /** The same query for some partitions. */
  CompletableFuture<Map<TopicPartition, Long>> offsets(
      List<TopicPartition> partitions, long query) {
    Map<TopicPartition, Long> queries = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (TopicPartition partition : partitions) {
      queries.put(partition, query);
      names.add(partition.topic());
    }
    // What is remembered of a topic may be out of date: then once more with fresh news.
    return infos(Map.of(), names)
        .thenCompose(infos -> offsets(infos, queries))
        .exceptionallyCompose(
            thrown -> {
              if (!forgetIfUnknown(names, thrown)) {
                return CompletableFuture.failedFuture(thrown);
              }
              return infos(Map.of(), names).thenCompose(infos -> offsets(infos, queries));
            });
  }

  private boolean forgetIfUnknown(Set<String> names, Throwable thrown) {
    boolean unknown =
        Failures.of(thrown) instanceof ServerException refusal
            && (refusal.error() == ErrorCode.UNKNOWN_TOPIC
                || refusal.error() == ErrorCode.NOT_LEADER);
    if (unknown) {
      names.forEach(topics::forget);
    }
    return unknown;
  }

  private long query(AssignedPartition state) {
    return switch (state.start()) {
      case StartPoint.At at ->
          throw new AssertionError("an offset needs no look-up: " + at.offset());
      case StartPoint.Beginning ignored -> ListOffsets.START;
      case StartPoint.End ignored -> ListOffsets.HIGH_WATERMARK;
      case StartPoint.Time time -> time.timestampMs();
      case StartPoint.Committed ignored -> throw new AssertionError("asked of the group");
      case StartPoint.Unsaid ignored ->
          switch (reset) {
            case EARLIEST -> ListOffsets.START;
            case LATEST -> ListOffsets.HIGH_WATERMARK;
            case FAIL ->
                throw new IllegalStateException(
                    state.partition() + " has no position: seek, or choose a reset policy");
          };
    };
  }

  private CompletableFuture<Map<String, TopicInfo>> infos(
      Map<String, TopicInfo> given, Set<String> names) {
    CompletableFuture<Map<String, TopicInfo>> all =
        CompletableFuture.completedFuture(new HashMap<>(given));
    for (String name : names) {
      all =
          all.thenCombine(
              topics.info(name),
              (infos, info) -> {
                infos.put(name, info);
                return infos;
              });
    }
    return all;
  }

  private CompletableFuture<Map<TopicPartition, Long>> offsets(
      Map<String, TopicInfo> infos, Map<TopicPartition, Long> queries) {
    if (queries.isEmpty()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    List<OffsetQuestion> questions = new ArrayList<>();
    for (Map.Entry<TopicPartition, Long> query : queries.entrySet()) {
      TopicPartition partition = query.getKey();
      TopicInfo info = infos.get(partition.topic());
      if (info == null || partition.partition() < 0 || partition.partition() >= info.partitions()) {
        return CompletableFuture.failedFuture(
            info == null
                ? TopicInfo.unknown(partition.topic())
                : info.noPartition(partition.partition()));
      }
      questions.add(new OffsetQuestion(partition, info.id(), query.getValue()));
    }
    return link.session()
        .thenCompose(session -> session.dialect().offsets(questions))
        .thenApply(
            offsets -> {
              Map<TopicPartition, Long> found = new LinkedHashMap<>();
              for (int i = 0; i < questions.size(); i++) {
                found.put(questions.get(i).partition(), offsets.get(i));
              }
              return found;
            });
  }

  /** Where no record is new enough for a time, the end is meant. */
  private CompletableFuture<Map<TopicPartition, Long>> endsInstead(
      Map<String, TopicInfo> infos,
      Map<TopicPartition, Long> queries,
      Map<TopicPartition, Long> found) {
    Map<TopicPartition, Long> ends = new LinkedHashMap<>();
    found.forEach(
        (partition, offset) -> {
          if (offset < 0) {
            ends.put(partition, ListOffsets.HIGH_WATERMARK);
          }
        });
    return ends.isEmpty()
        ? CompletableFuture.completedFuture(found)
        : offsets(infos, ends)
            .thenApply(
                more -> {
                  Map<TopicPartition, Long> both = new LinkedHashMap<>(found);
                  both.putAll(more);
                  return both;
                });
  }
}
