package io.minikafka.net;

import io.minikafka.net.WireClient.Answer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What consumer groups say, put together and taken apart byte by byte. */
final class GroupWire {
  private GroupWire() {}

  // Version 0.

  static byte[] join0(String group, String member, long sessionMs, String... topics) {
    Wire body = Wire.body().str(group).str(member).u32(sessionMs).u32(topics.length);
    for (String topic : topics) {
      body.str(topic);
    }
    return body.frame(8, 0, 1);
  }

  static byte[] heartbeat0(String group, String member, int generation) {
    return Wire.body().str(group).str(member).u32(generation).frame(9, 0, 2);
  }

  static byte[] leave0(String group, String member) {
    return Wire.body().str(group).str(member).frame(10, 0, 3);
  }

  static byte[] commit0(
      String group, String member, int generation, String topic, int partition, long offset) {
    return Wire.body()
        .str(group)
        .str(member)
        .u32(generation)
        .str(topic)
        .u32(partition)
        .u64(offset)
        .frame(6, 0, 4);
  }

  static byte[] offset0(String group, String topic, int partition) {
    return Wire.body().str(group).str(topic).u32(partition).frame(7, 0, 5);
  }

  /** An answered join of version 0. */
  record Joined0(String member, int generation, List<Integer> partitions) {
    static Joined0 of(Answer answer) {
      if (answer.error() != 0) {
        throw new AssertionError("error " + answer.error());
      }
      String member = answer.str();
      int generation = answer.body().getInt();
      List<Integer> partitions = new ArrayList<>();
      for (int left = answer.body().getInt(); left > 0; left--) {
        answer.str();
        partitions.add(answer.body().getInt());
      }
      return new Joined0(member, generation, List.copyOf(partitions));
    }
  }

  // Version 1.

  static byte[] join1(String group, String member, long sessionMs, String... topics) {
    return join1(group, member, "", sessionMs, "", topics);
  }

  static byte[] join1(
      String group,
      String member,
      String instance,
      long sessionMs,
      String assignor,
      String... topics) {
    Wire body =
        Wire.body()
            .str(group)
            .str(member)
            .str(instance)
            .u32(sessionMs)
            .u32(10_000)
            .str(assignor)
            .u32(topics.length);
    for (String topic : topics) {
      body.str(topic);
    }
    return body.frame(8, 1, 1);
  }

  static byte[] heartbeat1(String group, String member, List1 list, long maxWaitMs) {
    Wire body =
        Wire.body()
            .str(group)
            .str(member)
            .u64(list.assignment)
            .u32(maxWaitMs)
            .u32(list.owned.size());
    for (Owned one : list.owned) {
      body.id(one.topic).u32(one.partition);
    }
    return body.frame(9, 1, 2);
  }

  static byte[] leave1(String group, String member) {
    return Wire.body().str(group).str(member).u8(0).frame(10, 1, 3);
  }

  static byte[] commit1(String group, String member, Owned one, long offset, String metadata) {
    return Wire.body()
        .str(group)
        .str(member)
        .u32(1)
        .id(one.topic)
        .u32(one.partition)
        .u64(one.grant)
        .u64(offset)
        .u32(0)
        .str(metadata)
        .frame(6, 1, 4);
  }

  static byte[] offsets1(String group, UUID topic, int partition) {
    return Wire.body().str(group).u32(1).id(topic).u32(partition).frame(7, 1, 5);
  }

  record Owned(UUID topic, int partition, long grant) {}

  /** What a member of version 1 was told. */
  record List1(long generation, long assignment, boolean pending, List<Owned> owned) {
    static List1 ofJoin(Answer answer) {
      return of(answer, true);
    }

    static List1 ofHeartbeat(Answer answer) {
      return of(answer, false);
    }

    private static List1 of(Answer answer, boolean join) {
      if (answer.error() != 0) {
        throw new AssertionError("error %d: %s".formatted(answer.error(), answer.str()));
      }
      ByteBuffer in = answer.body();
      long generation = in.getLong();
      long assignment = in.getLong();
      boolean pending = in.get() == 1;
      if (join) {
        in.getInt();
      }
      List<Owned> owned = new ArrayList<>();
      for (int left = in.getInt(); left > 0; left--) {
        byte[] id = new byte[16];
        in.get(id);
        ByteBuffer big = ByteBuffer.wrap(id);
        owned.add(new Owned(new UUID(big.getLong(), big.getLong()), in.getInt(), in.getLong()));
      }
      return new List1(generation, assignment, pending, List.copyOf(owned));
    }

    List<Integer> partitions() {
      return owned.stream().map(Owned::partition).sorted().toList();
    }
  }

  /** The error of the one partition of an answered commit of version 1. */
  static int partError(Answer answer) {
    if (answer.error() != 0) {
      throw new AssertionError("error %d: %s".formatted(answer.error(), answer.str()));
    }
    answer.body().position(answer.body().position() + 4 + 16 + 4);
    return answer.body().getShort();
  }
}
