package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LinkTest {
  private static Link link(ClientSettings settings) {
    return new Link(settings, ClientRuntime.real("link-test"));
  }

  private static String failure(CompletableFuture<?> future) {
    Throwable thrown = future.handle((session, why) -> why).join();
    return String.valueOf(thrown.getMessage());
  }

  @Test
  void theGreetingTellsWhoIsThere() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().clientName("me").build())) {

      Session session = link.session().join();

      assertEquals(new ServerDescription(1, "cluster", "1.0", 64 << 20), session.server());
      Hello.Request hello = server.received(Api.HELLO).getFirst().as(Hello.Request.class);
      assertEquals("me", hello.client());
    }
  }

  @Test
  void aServerThatDoesNotKnowTheGreetingIsSpokenToInVersion0() throws Exception {
    try (FakeServer server = FakeServer.version0();
        Link link = link(server.client().build())) {

      assertEquals(0, link.session().join().dialect().version());
    }
  }

  @Test
  void everybodyGetsTheSameSession() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().build())) {
      List<CompletableFuture<Session>> asked = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        asked.add(link.session());
      }

      Session first = link.session().join();

      asked.forEach(session -> assertSame(first, session.join()));
      assertEquals(1, server.received(Api.HELLO).size());
    }
  }

  @Test
  void anEndedSessionIsReplacedWhenSomebodyAsks() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().build())) {
      Session first = link.session().join();
      first.connection().close(new ConnectionException("over", null));
      assertTrue(link.current().isEmpty());

      Session second = link.session().join();

      assertNotSame(first, second);
    }
  }

  @Test
  void attemptsAreRepeatedUntilTheServerIsThere() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().build())) {
      server.next(
          Api.HELLO, FakeServer.Request::drop, FakeServer.Request::drop, FakeServer.Request::drop);

      link.session().join();

      assertEquals(4, server.received(Api.HELLO).size());
    }
  }

  @Test
  void anOutageEndsWithTheLastReason() throws Exception {
    FakeServer server = FakeServer.version1();
    server.close();
    try (Link link = link(server.client().outageMs(5).build())) {

      String failure = failure(link.session());

      assertEquals("cannot connect to " + server.address() + ": Connection refused", failure);
    }
  }

  @Test
  void anUnknownHostIsNamed() throws Exception {
    ClientSettings settings =
        ClientSettings.builder(new ServerAddress("no.such.host.invalid", 1)).outageMs(0).build();
    try (Link link = link(settings)) {

      assertEquals(
          "cannot connect to no.such.host.invalid:1: unknown host", failure(link.session()));
    }
  }

  @Test
  void aServerThatWantsAuthenticationIsNotAskedAgain() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().build())) {
      server.next(
          Api.HELLO,
          request ->
              request.reply(
                  new Hello.Response("c", "1", 0, 1024, true, List.of("SCRAM"), List.of())));

      String failure = failure(link.session());

      assertTrue(failure.contains("wants authentication by one of [SCRAM]"), failure);
      assertEquals(1, server.received(Api.HELLO).size());
    }
  }

  @Test
  void aRefusedGreetingIsToldInTheServersWords() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().outageMs(0).build())) {
      server.next(Api.HELLO, request -> request.refuse(ErrorCode.LIMIT_REACHED, "5 connections"));

      assertTrue(failure(link.session()).endsWith("LIMIT_REACHED: 5 connections"));
    }
  }

  @Test
  void closingEndsTheAttempts() throws Exception {
    FakeServer server = FakeServer.version1();
    server.close();
    Link link = link(server.client().backoffMs(60_000, 60_000).build());
    CompletableFuture<Session> asked = link.session();

    link.close();

    assertEquals("the client was closed", failure(asked));
    assertEquals("the client was closed", failure(link.session()));
  }

  @Test
  void aPauseDoesNotGoBeyondTheOutage() throws Exception {
    FakeServer server = FakeServer.version1();
    server.close();
    ClientSettings settings =
        server.client().outageMs(100).backoffMs(60_000, 60_000).connectTimeoutMs(1_000).build();
    try (Link link = link(settings)) {

      assertTrue(failure(link.session()).startsWith("cannot connect to " + server.address()));
    }
  }

  @Test
  void whoCannotWaitHearsOfTheFirstAttemptThatFailsAlsoInAPause() throws Exception {
    FakeServer server = FakeServer.version1();
    server.close();
    try (Link link = link(server.client().backoffMs(60_000, 60_000).outageMs(600_000).build())) {
      CompletableFuture<Session> patient = link.session();

      String first = failure(link.sessionAtOnce());
      String second = failure(link.sessionAtOnce());

      assertEquals("cannot connect to " + server.address() + ": Connection refused", first);
      assertEquals(first, second);
      assertFalse(patient.isDone());
    }
  }

  @Test
  void whoCannotWaitGetsTheSessionThereIsOrTheNext() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Link link = link(server.client().build())) {
      Session first = link.sessionAtOnce().join();

      assertSame(first, link.sessionAtOnce().join());
      first.connection().close(new ConnectionException("over", null));
      assertNotSame(first, link.sessionAtOnce().join());
    }
  }

  @Test
  void pausesDoubleUpToTheBound() {
    Backoff backoff = new Backoff(100, 500);
    List<Integer> least = List.of(75, 150, 300, 375, 375);
    List<Integer> most = List.of(100, 200, 400, 500, 500);

    for (int i = 0; i < 5; i++) {
      int pauseMs = backoff.afterFailureMs();
      assertTrue(pauseMs >= least.get(i) && pauseMs <= most.get(i), "pause " + i + ": " + pauseMs);
    }
  }
}
