package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.client.FakeGroup.Member;
import io.minikafka.client.FakeServer.Request;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Heartbeat;
import io.minikafka.protocol.JoinGroup;
import io.minikafka.protocol.LeaveGroup;
import io.minikafka.protocol.OffsetCommit;
import io.minikafka.protocol.OffsetFetch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers what members of a {@link FakeGroup} say, in both versions. */
final class FakeCoordinator {
  private final FakeServer server;
  private final FakeGroup group;

  /** Guarded by the group. */
  private int names;

  FakeCoordinator(FakeServer server, FakeGroup group) {
    this.server = server;
    this.group = group;
  }

  void answer(Request request) throws IOException {
    switch (request.body()) {
      case JoinGroup.Request join -> request.reply(join(join));
      case JoinGroup.RequestV0 join -> request.reply(join(join));
      case Heartbeat.Request beat -> beat(request, beat);
      case Heartbeat.RequestV0 beat -> beat(request, beat);
      case LeaveGroup.Request leave -> {
        leave(leave.member(), leave.keepSeat() ? " keeping its seat" : "");
        request.reply(new LeaveGroup.Response());
      }
      case LeaveGroup.RequestV0 leave -> {
        leave(leave.member(), "");
        request.reply(new LeaveGroup.ResponseV0());
      }
      case OffsetCommit.Request commit -> commit(request, commit);
      case OffsetCommit.RequestV0 commit -> commit(request, commit);
      case OffsetFetch.Request fetch -> request.reply(fetch(fetch));
      case OffsetFetch.RequestV0 fetch -> {
        long offset = group.committed(new TopicPartition(fetch.topic(), fetch.partition()));
        request.reply(new OffsetFetch.ResponseV0(offset >= 0, Math.max(0, offset)));
      }
      default -> throw new AssertionError("not of a group: " + request.body());
    }
  }

  private JoinGroup.Response join(JoinGroup.Request join) {
    synchronized (group) {
      Member member = join(join.member(), join.instance(), join.topics());
      return new JoinGroup.Response(
          group.generation, member.assignment, false, join.sessionMs() / 3, granted(member));
    }
  }

  private JoinGroup.ResponseV0 join(JoinGroup.RequestV0 join) {
    synchronized (group) {
      String id = join.member().isEmpty() ? "v0-" + ++names : join.member();
      Member member = join(id, "", join.topics());
      member.mustRejoin = false;
      member.has.retainAll(member.list.keySet());
      return new JoinGroup.ResponseV0(
          id, (int) group.generation, List.copyOf(member.list.keySet()));
    }
  }

  private Member join(String id, String instance, List<String> topics) {
    Member member = group.members.computeIfAbsent(id, key -> new Member(key, instance));
    group.happened(
        "join " + String.join(",", topics) + (instance.isEmpty() ? "" : " as " + instance));
    if (!topics.equals(member.topics)) {
      group.generation++;
      member.assignment++;
      member.topics = topics;
      member.list.keySet().removeIf(partition -> !topics.contains(partition.topic()));
      Set<TopicPartition> owned = new HashSet<>();
      group.members.values().forEach(other -> owned.addAll(other.has));
      for (String topic : topics) {
        for (int i = 0; group.generous && i < server.partitions(topic); i++) {
          TopicPartition partition = new TopicPartition(topic, i);
          if (owned.add(partition)) {
            member.list.put(partition, ++group.lastGrant);
            member.has.add(partition);
          }
        }
      }
    }
    return member;
  }

  private List<JoinGroup.Granted> granted(Member member) {
    List<JoinGroup.Granted> all = new ArrayList<>();
    member.list.forEach(
        (partition, grant) -> {
          PartitionId id = server.key(partition.topic(), partition.partition());
          all.add(new JoinGroup.Granted(id.topicId(), id.partition(), grant));
        });
    return all;
  }

  private void beat(Request request, Heartbeat.Request beat) throws IOException {
    long number;
    synchronized (group) {
      Member member = group.members.get(beat.member());
      if (member == null) {
        group.happened("refused heartbeat");
        request.refuse(
            group.fenced.contains(beat.member())
                ? ErrorCode.FENCED_INSTANCE
                : ErrorCode.UNKNOWN_MEMBER,
            "no such member");
        return;
      }
      letGo(member, beat);
      number = ++member.heartbeats;
      group.notifyAll();
    }
    // What waits holds back nothing behind it.
    Thread.ofVirtual().start(() -> park(request, beat, number));
  }

  private void letGo(Member member, Heartbeat.Request beat) {
    if (beat.assignment() < member.assignment) {
      return;
    }
    for (TopicPartition partition : List.copyOf(member.has)) {
      PartitionId id = server.key(partition.topic(), partition.partition());
      if (!beat.owned().contains(id)) {
        group.happened("let go " + partition);
        if (member.list.containsKey(partition)) {
          member.list.put(partition, ++group.lastGrant);
          member.assignment++;
        } else {
          member.has.remove(partition);
        }
      }
    }
  }

  private void park(Request request, Heartbeat.Request beat, long number) {
    try {
      Heartbeat.Response answer;
      synchronized (group) {
        long deadlineNanos = System.nanoTime() + beat.maxWaitMs() * 1_000_000L;
        Member member = group.members.get(beat.member());
        while (group.silent
            || member != null
                && member.assignment == beat.assignment()
                && member.heartbeats == number
                && System.nanoTime() < deadlineNanos) {
          group.wait(20);
          member = group.members.get(beat.member());
        }
        if (member == null) {
          request.refuse(
              group.fenced.contains(beat.member())
                  ? ErrorCode.FENCED_INSTANCE
                  : ErrorCode.UNKNOWN_MEMBER,
              "no such member");
          return;
        }
        answer =
            new Heartbeat.Response(group.generation, member.assignment, false, granted(member));
      }
      request.reply(answer);
    } catch (IOException | InterruptedException e) {
      // The client went away.
    }
  }

  private void beat(Request request, Heartbeat.RequestV0 beat) throws IOException {
    synchronized (group) {
      Member member = group.members.get(beat.member());
      if (member == null) {
        request.refuse(ErrorCode.UNKNOWN_MEMBER, "");
      } else if (member.mustRejoin || beat.generation() != (int) group.generation) {
        request.refuse(ErrorCode.REBALANCE_IN_PROGRESS, "");
      } else {
        member.heartbeats++;
        request.reply(new Heartbeat.ResponseV0());
      }
      group.notifyAll();
    }
  }

  private void leave(String member, String how) {
    synchronized (group) {
      if (group.members.remove(member) != null) {
        group.generation++;
        group.happened("leave" + how);
      }
    }
  }

  private void commit(Request request, OffsetCommit.Request commit) throws IOException {
    synchronized (group) {
      Member member = group.members.get(commit.member());
      if (member == null) {
        group.happened("refused commit");
        request.refuse(ErrorCode.UNKNOWN_MEMBER, "no such member");
        return;
      }
      List<OffsetCommit.Answer> answers = new ArrayList<>();
      Map<TopicPartition, OffsetFetch.Answer> written = new LinkedHashMap<>();
      for (OffsetCommit.Partition part : commit.partitions()) {
        TopicPartition partition = named(new PartitionId(part.topic(), part.partition()));
        ErrorCode error = error(member, partition, part.grant());
        answers.add(new OffsetCommit.Answer(part.topic(), part.partition(), error.code()));
        if (error == ErrorCode.NONE && partition != null) {
          written.put(
              partition,
              new OffsetFetch.Answer(
                  part.topic(),
                  part.partition(),
                  true,
                  part.offset(),
                  part.epoch(),
                  1,
                  part.metadata()));
        }
      }
      boolean all = written.size() == answers.size();
      if (all) {
        group.committed.putAll(written);
        written.forEach(
            (partition, offset) ->
                group.happened("commit %s=%d".formatted(partition, offset.offset())));
      } else {
        group.happened("refused commit");
      }
      request.reply(new OffsetCommit.Response(answers));
    }
  }

  private ErrorCode error(Member member, @Nullable TopicPartition partition, long grant) {
    if (partition == null || !member.has.contains(partition)) {
      return ErrorCode.NOT_OWNER;
    }
    Long granted = member.list.get(partition);
    return granted == null || granted == grant ? ErrorCode.NONE : ErrorCode.ILLEGAL_GENERATION;
  }

  private @Nullable TopicPartition named(PartitionId id) {
    for (String topic : server.topics.keySet()) {
      if (server.key(topic, id.partition()).equals(id)) {
        return new TopicPartition(topic, id.partition());
      }
    }
    return null;
  }

  private void commit(Request request, OffsetCommit.RequestV0 commit) throws IOException {
    synchronized (group) {
      Member member = group.members.get(commit.member());
      TopicPartition partition = new TopicPartition(commit.topic(), commit.partition());
      if (member == null) {
        group.happened("refused commit");
        request.refuse(ErrorCode.UNKNOWN_MEMBER, "");
      } else if (commit.generation() != (int) group.generation || !member.has.contains(partition)) {
        group.happened("refused commit");
        request.refuse(ErrorCode.ILLEGAL_GENERATION, "");
      } else {
        group.commit(partition, commit.offset());
        group.happened("commit %s=%d".formatted(partition, commit.offset()));
        request.reply(new OffsetCommit.ResponseV0());
      }
    }
  }

  private OffsetFetch.Response fetch(OffsetFetch.Request fetch) {
    synchronized (group) {
      List<OffsetFetch.Answer> answers = new ArrayList<>();
      for (PartitionId id : fetch.partitions()) {
        Optional<OffsetFetch.Answer> found =
            Optional.ofNullable(named(id))
                .map(group.committed::get)
                .filter(a -> a.topic().equals(id.topicId()));
        answers.add(
            found.orElse(new OffsetFetch.Answer(id.topicId(), id.partition(), false, 0, 0, 0, "")));
      }
      return new OffsetFetch.Response(answers);
    }
  }
}
