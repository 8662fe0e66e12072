package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.minikafka.admin.v1.GroupLag;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.GroupServiceWatchLagResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** WatchLag over a real channel: when it tells, and what ends it. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class WatchLagTest extends GroupChangesBench {
  private static final long INTERVAL_MS = 1_000;

  /** Timers that wait while nobody watches. */
  private int idleTimers;

  @BeforeEach
  void countTimers() {
    commit("g", "a", 0, 40);
    LogBroker.await("the groups are at rest", () -> broker.groups().mailboxDepth() == 0);
    idleTimers = broker.timers().waiting();
  }

  private Iterator<GroupServiceWatchLagResponse> watch(String... names) {
    return groups.watchLag(request(names));
  }

  private static GroupServiceWatchLagRequest request(String... names) {
    return GroupServiceWatchLagRequest.newBuilder().addAllGroups(List.of(names)).build();
  }

  private void awaitWaiting() {
    LogBroker.await("the watch waits", () -> broker.timers().waiting() == idleTimers + 1);
  }

  private void awaitNoTimer() {
    LogBroker.await("no timer is left", () -> broker.timers().waiting() == idleTimers);
  }

  private static List<String> lags(GroupServiceWatchLagResponse look) {
    return look.getGroupsList().stream()
        .map(group -> group.getGroup().getName() + " " + group.getGroup().getTotalLagRecords())
        .toList();
  }

  @Test
  void lagIsToldAtOnceAndThenEveryInterval() {
    var looks = watch();
    assertEquals(List.of("g 60"), lags(looks.next()));
    awaitWaiting();
    commit("g", "a", 0, 50);
    commit("h", "a", 1, 99);
    broker.timers().advanceMs(INTERVAL_MS);
    assertEquals(List.of("g 50", "h 1"), lags(looks.next()));
    awaitWaiting();
    groups.delete(
        io.minikafka.admin.v1.GroupServiceDeleteRequest.newBuilder().setGroup("g").build());
    broker.timers().advanceMs(INTERVAL_MS);
    assertEquals(List.of("h 1"), lags(looks.next()));
  }

  @Test
  void onlyTheGroupsThatAreNamedAndExistAreTold() {
    commit("h", "a", 1, 99);
    commit("i", "a", 1, 99);
    var looks = watch("h", "nobody");
    GroupServiceWatchLagResponse first = looks.next();
    assertEquals(List.of("h 1"), lags(first));
    GroupLag group = first.getGroups(0);
    assertEquals(1, group.getPartitionsCount());
    assertEquals(99, group.getPartitions(0).getCommittedOffset());
    assertEquals("", group.getPartitions(0).getMetadata());
  }

  @Test
  void intervalIsTheCallers() {
    var looks =
        groups.watchLag(
            GroupServiceWatchLagRequest.newBuilder()
                .setInterval(Duration.newBuilder().setNanos(100_000_000))
                .build());
    looks.next();
    awaitWaiting();
    broker.timers().advanceMs(100);
    assertEquals(List.of("g 60"), lags(looks.next()));
  }

  @Test
  void aRefusedIntervalIsToldAsItWasSent() {
    assertEquals(
        "interval is -0.000001 ms, must be 100 to 3600000 ms",
        refusedInterval(Duration.newBuilder().setNanos(-1).build()));
    assertEquals(
        "interval is 99.999999 ms, must be 100 to 3600000 ms",
        refusedInterval(Duration.newBuilder().setNanos(99_999_999).build()));
    assertEquals(
        "interval is 9223372036854775807000 ms, must be 100 to 3600000 ms",
        refusedInterval(Duration.newBuilder().setSeconds(Long.MAX_VALUE).build()));
  }

  private String refusedInterval(Duration interval) {
    GroupServiceWatchLagRequest request =
        GroupServiceWatchLagRequest.newBuilder().setInterval(interval).build();
    return refused(() -> groups.watchLag(request).next()).fields().getOrDefault("interval", "");
  }

  @Test
  void whatIsOutOfBoundsIsRefused() {
    for (Duration interval :
        List.of(
            Duration.newBuilder().setNanos(99_999_999).build(),
            Duration.newBuilder().setSeconds(3_601).build(),
            Duration.newBuilder().setSeconds(-1).build(),
            Duration.newBuilder().setSeconds(Long.MAX_VALUE).setNanos(Integer.MAX_VALUE).build())) {
      var refusal =
          refused(
              () ->
                  groups
                      .watchLag(
                          GroupServiceWatchLagRequest.newBuilder().setInterval(interval).build())
                      .next());
      assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
      assertTrue(
          refusal.fields().getOrDefault("interval", "").contains("must be 100 to 3600000 ms"),
          refusal::toString);
    }
    String[] many = IntStream.range(0, 101).mapToObj(n -> "g" + n).toArray(String[]::new);
    var refusal = refused(() -> watch(many).next());
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertTrue(refusal.fields().containsKey("groups"), refusal::toString);
    assertEquals(idleTimers, broker.timers().waiting());
  }

  @Test
  void callerThatCancelsLeavesNoTimer() {
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(() -> watch().next());
    awaitWaiting();
    context.cancel(null);
    awaitNoTimer();
  }

  /** The timeout goes out as a header only, so that it is the server alone that keeps it. */
  @Test
  void deadlineEndsItAndLeavesNoTimer() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), "300m");
    var looks =
        groups
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .watchLag(request());
    assertEquals(List.of("g 60"), lags(looks.next()));
    assertEquals(Status.Code.DEADLINE_EXCEEDED, refused(looks::next).code());
    awaitNoTimer();
  }

  @Test
  void brokerThatStopsEndsIt() {
    var looks = watch();
    looks.next();
    awaitWaiting();
    broker.stop();
    var refusal = refused(looks::next);
    assertEquals(Status.Code.UNAVAILABLE, refusal.code());
    assertEquals("SHUTTING_DOWN", refusal.reason());
    awaitNoTimer();
  }

  @Test
  void groupsThatAreNotServedAnyMoreEndIt() {
    var looks = watch();
    looks.next();
    awaitWaiting();
    broker.groups().stop().join();
    broker.timers().advanceMs(INTERVAL_MS);
    assertEquals(Status.Code.UNAVAILABLE, refused(looks::next).code());
  }

  /** Of a connection that breaks the services are told nothing by the server. */
  @Test
  void clientThatIsLostLeavesNoTimer() throws Exception {
    try (CutWire wire = new CutWire(http);
        ControlPlane far = new ControlPlane(wire.address())) {
      var looks = GroupServiceGrpc.newBlockingStub(far.channel).watchLag(request());
      looks.next();
      awaitWaiting();
      wire.cut();
      awaitNoTimer();
    }
  }
}
