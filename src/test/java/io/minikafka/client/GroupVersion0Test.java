package io.minikafka.client;

import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.T1;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.protocol.Api;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups of a server that knows no more than version 0. */
@Timeout(60)
class GroupVersion0Test {
  private static GroupReading member(FakeServer server) {
    return GroupReading.of(server, s -> s.autoCommit(false).sessionMs(300));
  }

  @Test
  void aGroupGoesOnWhereItStopped() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1)) {
      fill(server, T0, 0, 10);
      try (GroupReading member = member(server).pollUntilRead(10)) {
        member.consumer.commitSync();
        assertEquals(Map.of(T0, CommittedOffset.of(10)), member.consumer.committed(List.of(T0)));
      }
      fill(server, T0, 10, 12);

      try (GroupReading member = member(server).pollUntilRead(2)) {
        assertEquals(named(10, 12), member.read);
      }
      assertEquals(
          List.of("join t", "commit t-0=10", "leave", "join t", "leave"), server.group.events());
      assertTrue(
          server.received(Api.HEARTBEAT).stream().allMatch(beat -> beat.call().version() == 0));
    }
  }

  @Test
  void aRebalanceIsLearntOfByJoiningAgainAndWhatStaysIsNotReadTwice() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 2)) {
      fill(server, T0, 0, 10);
      fill(server, T1, 10, 20);
      try (GroupReading member = member(server).pollUntilRead(20)) {
        server.group.take(server.group.members().getFirst(), T1);

        member.pollUntilHeard("lost t-1");
        fill(server, T0, 20, 22);
        member.pollUntilRead(22);
        member.consumer.commitSync();

        assertEquals(Set.of(T0), member.consumer.assignment());
        assertEquals(named(20, 22), member.read.subList(20, 22));
        assertEquals(List.of("join t", "join t", "commit t-0=12"), server.group.events());
        server.group.give(server.group.members().getFirst(), T1);
        member.pollUntil(() -> member.heard.size() == 3);
        assertEquals(List.of("assigned t-0 t-1", "lost t-1", "assigned t-1"), member.heard);
      }
    }
  }

  @Test
  void aMemberThatWasPutOutJoinsAsANewOne() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1);
        GroupReading member = member(server).pollUntilHeard("assigned t-0")) {
      server.group.expel("v0-1");

      member.pollUntil(() -> member.heard.size() == 3);

      assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
      assertEquals(List.of("v0-2"), server.group.members());
    }
  }

  @Test
  void whatVersion0CannotSayIsNamed() throws Exception {
    try (FakeServer server = FakeServer.version0().topic("t", 1)) {
      try (GroupReading member = GroupReading.of(server, s -> s.instance("i"))) {
        Exception e =
            assertThrows(UnsupportedByServerException.class, () -> member.pollUntil(() -> false));
        assertEquals(
            "a static member, or the choice of an assignor, is not in version 0 of the protocol,"
                + " all this server speaks",
            e.getMessage());
      }
      try (Consumer consumer = consumer(server)) {
        GroupReading member = new GroupReading(consumer);
        consumer.subscribe(Pattern.compile("t"), "g", member);
        Exception e =
            assertThrows(UnsupportedByServerException.class, () -> member.pollUntil(() -> false));
        assertEquals(
            "listing the topics is not in version 0 of the protocol, all this server speaks",
            e.getMessage());
      }
      try (GroupReading member = member(server).pollUntilHeard("assigned t-0")) {
        Exception e =
            assertThrows(
                UnsupportedByServerException.class,
                () -> member.consumer.commitSync(Map.of(T0, new CommittedOffset(1, 0, "why"))));
        assertEquals(
            "metadata of a commit is not in version 0 of the protocol, all this server speaks",
            e.getMessage());
      }
    }
  }
}
