package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.broker.ConnectionDescription;
import io.minikafka.broker.Connections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is told of connections, and how they are closed from outside. */
class ConnectionsTest extends GroupPortHarness {
  private Connections connections() {
    return server.openConnections();
  }

  private List<ConnectionDescription> list() throws Exception {
    return connections().list(0, 1_000).get(20, TimeUnit.SECONDS);
  }

  /** The latest to connect. */
  private ConnectionDescription last() throws Exception {
    return list().getLast();
  }

  private Optional<ConnectionDescription> close(long id) throws Exception {
    return connections().close(id).get(20, TimeUnit.SECONDS);
  }

  @Test
  void connectionIsToldAsItIs() throws Exception {
    WireClient client = connect();
    byte[] hello = Wire.body().str("a client").str("1").frame(11, 1, 1);
    byte[] answer = client.send(hello).readFrame();
    byte[] metadata = Requests.metadata0(2, "orders");
    long answered = answer.length + client.send(metadata).readFrame().length;
    await("the answers are counted", () -> sent() == answered);
    ConnectionDescription told = last();
    assertEquals("a client", told.clientName());
    assertEquals("127.0.0.1:" + client.socket().getLocalPort(), told.peer());
    assertEquals(CLOCK.instant(), told.openedAt());
    assertEquals(OptionalInt.of(0), told.version());
    assertEquals(2, told.requests());
    assertEquals(hello.length + metadata.length, told.receivedBytes());
    assertEquals(0, told.inFlight());
    assertEquals(0, told.parked());
    assertEquals(Optional.empty(), told.member());
    assertFalse(told.held());
  }

  private long sent() {
    try {
      return last().sentBytes();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void connectionThatHasAskedNothingHasNoVersion() throws Exception {
    int before = connections().count();
    connect();
    await("it is in", () -> connections().count() == before + 1);
    await("it is listed", () -> sent() == 0);
    assertEquals(OptionalInt.empty(), last().version());
    assertEquals(0, last().requests());
  }

  @Test
  void memberIsToldAsLongAsTheConnectionSpeaksForIt() throws Exception {
    WireClient client = connect();
    GroupWire.Joined0 joined =
        GroupWire.Joined0.of(askInTime(client, GroupWire.join0("g", "", SESSION_MS, "orders")));
    assertEquals(
        Optional.of(new ConnectionDescription.Member("g", joined.member())), last().member());
    assertEquals(0, askInTime(client, GroupWire.leave0("g", joined.member())).error());
    assertEquals(Optional.empty(), last().member());
  }

  @Test
  void fetchThatWaitsIsInFlightAndParked() throws Exception {
    WireClient client = connect();
    client.send(Requests.fetch1(1, 30_000, 1, topic.id(), 0, RECORDS));
    await("it is parked", () -> broker.parkedFetches.count() == 1);
    ConnectionDescription told = last();
    assertEquals(1, told.inFlight());
    assertEquals(1, told.parked());
  }

  @Test
  void connectionsAreListedByNumberFromAnyOn() throws Exception {
    for (int i = 0; i < 6; i++) {
      connect().ask(Requests.hello(9));
    }
    List<Long> ids = list().stream().map(ConnectionDescription::id).toList();
    assertEquals(ids.stream().sorted().toList(), ids);
    List<Long> some =
        connections().list(ids.get(1), 3).get(20, TimeUnit.SECONDS).stream()
            .map(ConnectionDescription::id)
            .toList();
    assertEquals(ids.subList(2, 5), some);
  }

  @Test
  void closedConnectionEndsWithAReasonOfItsOwnAndIsUnknownThen() throws Exception {
    WireClient other = connect();
    other.ask(Requests.hello(9));
    WireClient client = connect();
    client.ask(Requests.hello(9));
    long id = last().id();
    assertEquals(id, close(id).orElseThrow().id());
    assertEquals(Optional.empty(), close(id));
    assertEquals(Optional.empty(), connections().describe(id).get(20, TimeUnit.SECONDS));
    assertTrue(client.isClosed());
    assertEquals(List.of("closed by operator"), observed.refused);
    assertEquals(0, other.ask(Requests.hello(9)).error());
  }

  @Test
  void fetchThatWaitsIsGivenUpWithItsConnection() throws Exception {
    WireClient client = connect();
    client.send(Requests.fetch1(1, 30_000, 1, topic.id(), 0, RECORDS));
    await("it is parked", () -> broker.parkedFetches.count() == 1);
    close(last().id());
    await("nobody is parked", () -> broker.parkedFetches.count() == 0);
    assertTrue(client.isClosed());
  }

  @Test
  void nobodyIsKnownOnceThePortIsClosed() throws Exception {
    connect().ask(Requests.hello(9));
    server.stop(10_000).get(20, TimeUnit.SECONDS);
    assertEquals(0, connections().count());
    assertEquals(List.of(), list());
  }
}
