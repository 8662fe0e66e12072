package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupDescription.OwnedView;
import io.minikafka.group.GroupEvent.CommitPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The faults of the negative controls. */
final class Faults {
  private Faults() {}

  /** Every list passes for the newest, as if the assignment number were not looked at. */
  static Fault staleListsCount() {
    return new Numbers() {
      @Override
      GroupEvent.Heartbeat bend(GroupEvent.Heartbeat beat, Groups groups, long nowMs) {
        return numbered(beat, beat.owned());
      }
    };
  }

  /** What a member was asked for counts as let go at its next heartbeat, listed or not. */
  static Fault askedIsLetGo() {
    return new Numbers() {
      @Override
      GroupEvent.Heartbeat bend(GroupEvent.Heartbeat beat, Groups groups, long nowMs) {
        List<PartitionId> owned = new ArrayList<>(beat.owned());
        member(groups, beat.member(), nowMs)
            .ifPresent(
                view ->
                    view.owned().stream()
                        .filter(one -> one.letGoInMs().isPresent())
                        .forEach(one -> owned.remove(one.partition())));
        return numbered(beat, owned);
      }
    };
  }

  /** A commit counts under any grant. */
  static Fault anyGrantCounts() {
    return new Fault() {
      @Override
      public GroupEvent bend(GroupEvent event, Groups groups, long nowMs) {
        if (!(event instanceof GroupEvent.Commit commit) || commit.member().isEmpty()) {
          return event;
        }
        Map<PartitionId, Long> grants = new HashMap<>();
        member(groups, commit.member(), nowMs)
            .ifPresent(
                view -> view.owned().forEach(one -> grants.put(one.partition(), one.grant())));
        return with(
            commit,
            commit.member(),
            commit.parts().stream()
                .map(
                    part ->
                        new CommitPart(
                            part.partition(),
                            grants.getOrDefault(part.partition(), part.grant()),
                            part.offset(),
                            part.epoch(),
                            part.metadata()))
                .toList());
      }
    };
  }

  /** A commit counts whoever sends it. */
  static Fault anyMemberCounts() {
    return new Fault() {
      @Override
      public GroupEvent bend(GroupEvent event, Groups groups, long nowMs) {
        if (!(event instanceof GroupEvent.Commit commit) || commit.member().isEmpty()) {
          return event;
        }
        CommitPart first = commit.parts().getFirst();
        for (MemberView view : views(groups, nowMs)) {
          for (OwnedView owned : view.owned()) {
            if (owned.partition().equals(first.partition()) && view.version() == 1) {
              CommitPart part =
                  new CommitPart(first.partition(), owned.grant(), first.offset(), 1, "");
              return with(commit, view.member(), List.of(part));
            }
          }
        }
        return event;
      }
    };
  }

  /** Sessions are over before they are. */
  static Fault clockHurries() {
    return new Fault() {
      @Override
      public long hurryMs(GroupEvent event) {
        return event instanceof GroupEvent.Tick ? 300 : 0;
      }
    };
  }

  /** Grants are answered, but not written. */
  static Fault grantsAreNotWritten() {
    return new Fault() {
      @Override
      public boolean isWritten(GroupRecord record) {
        return !(record instanceof GroupRecord.Member member) || member.owned().isEmpty();
      }
    };
  }

  /** Some commits are answered, but not written. */
  static Fault commitsAreNotWritten() {
    return new Fault() {
      @Override
      public boolean isWritten(GroupRecord record) {
        return !(record instanceof GroupRecord.Commit commit) || commit.value().offset() % 7 != 0;
      }
    };
  }

  /** What a reset replaced is answered, but not written. */
  static Fault resetsAreNotWritten() {
    return new Fault() {
      @Override
      public boolean isWritten(GroupRecord record) {
        return !(record instanceof GroupRecord.Reset);
      }
    };
  }

  /** A group in use needs no force. */
  static Fault alwaysForced() {
    return new Fault() {
      @Override
      public GroupEvent bend(GroupEvent event, Groups groups, long nowMs) {
        return switch (event) {
          case GroupEvent.SetOffsets set -> with(set, true, set.validateOnly());
          case GroupEvent.UndoReset undo -> with(undo, true, undo.validateOnly());
          default -> event;
        };
      }
    };
  }

  /** What is only to be tried is done. */
  static Fault trialsAreCarriedOut() {
    return new Fault() {
      @Override
      public GroupEvent bend(GroupEvent event, Groups groups, long nowMs) {
        return switch (event) {
          case GroupEvent.SetOffsets set -> with(set, set.force(), false);
          case GroupEvent.UndoReset undo -> with(undo, undo.force(), false);
          default -> event;
        };
      }
    };
  }

  private static GroupEvent with(GroupEvent.SetOffsets set, boolean force, boolean trial) {
    return new GroupEvent.SetOffsets(
        set.ticket(),
        set.group(),
        set.changes(),
        force,
        trial,
        set.generation(),
        set.starts(),
        set.ends());
  }

  private static GroupEvent with(GroupEvent.UndoReset undo, boolean force, boolean trial) {
    return new GroupEvent.UndoReset(undo.ticket(), undo.group(), force, trial, undo.ends());
  }

  private static GroupEvent with(GroupEvent.Commit commit, String member, List<CommitPart> parts) {
    return new GroupEvent.Commit(
        commit.ticket(), commit.connection(), commit.group(), member, parts, commit.ends());
  }

  private static List<MemberView> views(Groups groups, long nowMs) {
    return groups
        .describe(GroupWorld.GROUP, nowMs)
        .map(GroupDescription::members)
        .orElse(List.of());
  }

  private static Optional<MemberView> member(Groups groups, String member, long nowMs) {
    return views(groups, nowMs).stream().filter(view -> view.member().equals(member)).findFirst();
  }

  /** Knows the newest assignment number of each member. */
  private abstract static class Numbers implements Fault {
    private final Map<Long, String> members = new HashMap<>();
    private final Map<String, Long> newest = new HashMap<>();

    abstract GroupEvent.Heartbeat bend(GroupEvent.Heartbeat beat, Groups groups, long nowMs);

    GroupEvent.Heartbeat numbered(GroupEvent.Heartbeat beat, List<PartitionId> owned) {
      return new GroupEvent.Heartbeat(
          beat.ticket(),
          beat.connection(),
          beat.group(),
          beat.member(),
          newest.getOrDefault(beat.member(), beat.assignment()),
          beat.maxWaitMs(),
          owned);
    }

    @Override
    public GroupEvent bend(GroupEvent event, Groups groups, long nowMs) {
      if (event instanceof GroupEvent.Join join) {
        members.put(join.ticket(), join.member());
      }
      if (event instanceof GroupEvent.Heartbeat beat) {
        members.put(beat.ticket(), beat.member());
        return bend(beat, groups, nowMs);
      }
      return event;
    }

    @Override
    public void saw(Answer answer) {
      String member = members.remove(answer.ticket());
      if (member == null) {
        return;
      }
      if (answer.result() instanceof GroupResult.Joined joined) {
        newest.merge(member, joined.assignment(), Math::max);
      } else if (answer.result() instanceof GroupResult.Current current) {
        newest.merge(member, current.assignment(), Math::max);
      }
    }
  }
}
