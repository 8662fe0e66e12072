package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.minikafka.admin.v1.TopicServiceCreateResponse;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.topic.Topic;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that meet each other, give up, or come for something else than topics. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class TopicServiceRacesTest extends TopicServiceBench {
  @Inject CancelledCalls calls;

  /** The timeout goes out as a header only, so that it is the server alone that keeps it. */
  @Test
  void changeWhoseDeadlinePassedBeforeItsTurnIsNotMade() {
    CountDownLatch gate = broker.occupyWorker();
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), "200m");
    var hurried =
        client.topics.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    Status.Code code = refused(() -> hurried.create(client.request("late", 1).build())).code();
    assertEquals(Status.Code.DEADLINE_EXCEEDED, code);
    gate.countDown();
    client.create("next", 1);
    assertEquals(List.of("next"), broker.topics().topics().stream().map(Topic::name).toList());
  }

  @Test
  void changeThatWasCancelledBeforeItsTurnIsNotMade() throws InterruptedException {
    CountDownLatch gate = broker.occupyWorker();
    calls.reset();
    var call =
        TopicServiceGrpc.newFutureStub(client.channel).create(client.request("late", 1).build());
    calls.awaitEntered();
    call.cancel(true);
    calls.awaitCancelled();
    gate.countDown();
    client.create("next", 1);
    assertEquals(List.of("next"), broker.topics().topics().stream().map(Topic::name).toList());
  }

  @Test
  void ofManyThatCreateTheSameTopicOneSucceeds() throws Exception {
    List<String> outcomes =
        together(
            16,
            () -> {
              try {
                TopicServiceCreateResponse made =
                    client.topics.create(client.request("t", 3).build());
                return made.getTopic().getId();
              } catch (StatusRuntimeException e) {
                return e.getStatus().getCode().toString();
              }
            });
    String id = broker.topic("t").orElseThrow().id().toString();
    assertEquals(1, outcomes.stream().filter(id::equals).count(), outcomes.toString());
    assertEquals(15, outcomes.stream().filter("ALREADY_EXISTS"::equals).count());
    assertEquals(3, broker.stores().open.size());
  }

  @Test
  void creationsAndDeletionsThatMeetLeaveNothingHalfMade() throws Exception {
    List<String> outcomes =
        together(
            12,
            () -> {
              for (int i = 0; i < 20; i++) {
                try {
                  client.create("t", 2);
                  client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName("t").build());
                } catch (StatusRuntimeException e) {
                  Status.Code code = e.getStatus().getCode();
                  if (code != Status.Code.ALREADY_EXISTS && code != Status.Code.NOT_FOUND) {
                    return code.toString();
                  }
                }
              }
              return "";
            });
    assertTrue(outcomes.stream().allMatch(String::isEmpty), outcomes.toString());
    int partitions = broker.topic("t").map(topic -> topic.partitions().size()).orElse(0);
    assertEquals(partitions, broker.stores().open.size());
  }

  @Test
  void healthOfTheServiceIsServed() {
    HealthCheckResponse health =
        HealthGrpc.newBlockingStub(client.channel)
            .check(
                HealthCheckRequest.newBuilder()
                    .setService("minikafka.admin.v1.TopicService")
                    .build());
    assertEquals(HealthCheckResponse.ServingStatus.SERVING, health.getStatus());
  }

  @Test
  void timeoutsAreReadAsGrpcWritesThem() {
    assertEquals("PT2H", CallContext.timeout("2H").orElseThrow().toString());
    assertEquals("PT2M", CallContext.timeout("2M").orElseThrow().toString());
    assertEquals("PT2S", CallContext.timeout("2S").orElseThrow().toString());
    assertEquals("PT0.002S", CallContext.timeout("2m").orElseThrow().toString());
    assertEquals("PT0.000002S", CallContext.timeout("2u").orElseThrow().toString());
    assertEquals("PT0.000000002S", CallContext.timeout("2n").orElseThrow().toString());
    assertEquals("PT27777H46M39S", CallContext.timeout("99999999S").orElseThrow().toString());
    for (String bad : List.of("", "S", "2", "-2S", "2s", "123456789S", "2 S")) {
      assertFalse(CallContext.timeout(bad).isPresent(), bad);
    }
  }
}
