package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.BrokerServiceCloseConnectionRequest;
import io.minikafka.admin.v1.BrokerServiceDescribeRequest;
import io.minikafka.admin.v1.BrokerServiceDescribeResponse;
import io.minikafka.admin.v1.BrokerServiceGrpc;
import io.minikafka.admin.v1.BrokerServiceListConnectionsRequest;
import io.minikafka.admin.v1.BrokerServiceListConnectionsResponse;
import io.minikafka.admin.v1.BrokerSetting;
import io.minikafka.admin.v1.BrokerSettingSource;
import io.minikafka.admin.v1.Connection;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over a real channel, in front of a broker whose connections the test makes up. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class BrokerServiceTest extends TopicServiceBench {
  private BrokerServiceGrpc.BrokerServiceBlockingStub service;

  @BeforeEach
  void openService() {
    service = BrokerServiceGrpc.newBlockingStub(client.channel);
  }

  @Test
  void descriptionSaysWhatTheBrokerIsAndHowItsStartWent() {
    BrokerServiceDescribeResponse told = describe();
    assertEquals(7, told.getBroker().getNodeId());
    assertEquals("cluster", told.getBroker().getClusterId());
    assertEquals("1.2.3", told.getBroker().getVersion());
    assertEquals("A machine 25", told.getBroker().getJavaVersion());
    assertEquals("broker.example:9092", told.getBroker().getAddress());
    assertEquals(100, told.getBroker().getStartedAt().getSeconds());
    assertEquals(duration(2, 500_000_000), told.getStart().getDuration());
    assertEquals(duration(1, 500_000_000), told.getStart().getRecoveryDuration());
    assertEquals(3, told.getStart().getTopicCount());
    assertEquals(12, told.getStart().getPartitionCount());
    assertEquals(4096, told.getStart().getCheckedBytes());
    assertEquals(17, told.getStart().getCutBytes());
    assertEquals(2, told.getStart().getDamagedRangeCount());
    assertEquals(1, told.getStart().getOfflinePartitionCount());
    assertEquals("commit", told.getFlushPolicy());
  }

  @Test
  void uptimeGoesOnFromWhereTheStartEnded() {
    broker.timers().advanceMs(60_000);
    assertEquals(duration(62, 500_000_000), describe().getBroker().getUptime());
  }

  @Test
  void settingsThatAreNotAsByDefaultAreToldWithWhoSaidSo() {
    List<BrokerSetting> told = describe().getChangedSettingsList();
    assertEquals(2, told.size());
    assertEquals("minikafka.port", told.getFirst().getKey());
    assertEquals("9999", told.getFirst().getValue());
    assertEquals("9092", told.getFirst().getDefaultValue());
    assertEquals(
        BrokerSettingSource.BROKER_SETTING_SOURCE_COMMAND_LINE, told.getFirst().getSource());
    assertEquals("", told.getFirst().getFile());
    assertEquals(BrokerSettingSource.BROKER_SETTING_SOURCE_FILE, told.get(1).getSource());
    assertEquals("/etc/mk.properties", told.get(1).getFile());
  }

  @Test
  void descriptionSaysWhatTheDiskHoldsAndHowMuchOfEverythingThereIs() {
    broker.startGroups();
    client.create("a", 3);
    client.create("b", 2);
    broker.connections().add(4);
    BrokerServiceDescribeResponse told = describe();
    assertEquals("/data", told.getDisk().getDataDirectory());
    assertEquals(1_000, told.getDisk().getLogBytes());
    assertEquals(50, told.getDisk().getUnflushedBytes());
    assertEquals(10_000, told.getDisk().getUnflushedLimitBytes());
    assertEquals(7, told.getDisk().getPinnedBytes());
    assertEquals(1L << 40, told.getDisk().getFileSystemBytes());
    assertEquals(1L << 30, told.getDisk().getUsableBytes());
    // And the offsets log.
    assertEquals(3, told.getCounts().getTopics());
    assertEquals(6, told.getCounts().getPartitions());
    assertEquals(0, told.getCounts().getOfflinePartitions());
    assertEquals(1, told.getCounts().getConnections());
    assertEquals(100, told.getCounts().getConnectionLimit());
    assertEquals(3, told.getCounts().getHttpConnections());
    assertEquals(50, told.getCounts().getHttpConnectionLimit());
    assertTrue(told.getCounts().hasGroups());
    assertEquals(0, told.getCounts().getGroups());
    assertTrue(told.getGroups().getServed());
    assertEquals("", told.getGroups().getReason());
  }

  @Test
  void groupsThatAreNotServedAreNotCounted() {
    BrokerServiceDescribeResponse told = describe();
    assertFalse(told.getCounts().hasGroups());
    assertFalse(told.getGroups().getServed());
    assertEquals("the offsets log is read", told.getGroups().getReason());
  }

  @Test
  void connectionIsToldInFull() {
    broker.connections().add(12);
    Connection told = page(0, "").getConnections(0);
    assertEquals(12, told.getId());
    assertEquals("client-12", told.getClientName());
    assertEquals("10.0.0.1:12", told.getPeer());
    assertEquals(1_000, told.getOpenedAt().getSeconds());
    assertEquals(5_000_000, told.getOpenedAt().getNanos());
    assertEquals(1, told.getProtocolVersion());
    assertEquals(10, told.getRequestCount());
    assertEquals(2_000, told.getReceivedBytes());
    assertEquals(3_000, told.getSentBytes());
    assertEquals(2, told.getRequestsInFlight());
    assertEquals(1, told.getRequestsParked());
    assertEquals("orders", told.getGroup());
    assertEquals("m-12", told.getMemberId());
    assertFalse(told.getHeld());
  }

  @Test
  void connectionsAreListedByNumberPageByPage() {
    for (long id : List.of(10L, 9L, 101L, 1L, 20L)) {
      broker.connections().add(id);
    }
    List<List<Long>> pages = new ArrayList<>();
    String token = "";
    do {
      BrokerServiceListConnectionsResponse page = page(2, token);
      pages.add(page.getConnectionsList().stream().map(Connection::getId).toList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    assertEquals(List.of(List.of(1L, 9L), List.of(10L, 20L), List.of(101L)), pages);
  }

  @Test
  void pageOfConnectionsIsBounded() {
    for (long id = 1; id <= 1_001; id++) {
      broker.connections().add(id);
    }
    assertEquals(100, page(0, "").getConnectionsCount());
    assertEquals(1_000, page(5_000, "").getConnectionsCount());
  }

  @Test
  void negativePageSizeIsRefused() {
    Refusal refusal = refused(() -> page(-1, ""));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(Map.of("page_size", "page_size is -1, must be 0 or more"), refusal.fields());
  }

  @Test
  void pageTokenThatNoListGaveIsRefused() {
    Refusal refusal = refused(() -> page(0, "no token"));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(List.of("page_token"), List.copyOf(refusal.fields().keySet()));
  }

  @Test
  void connectionIsClosedOnceAndUnknownThen() {
    broker.connections().add(5);
    broker.connections().add(6);
    assertEquals(5, close(5, false).getId());
    Refusal refusal = refused(() -> close(5, false));
    assertEquals(Status.Code.NOT_FOUND, refusal.code());
    assertEquals("UNKNOWN_CONNECTION", refusal.reason());
    assertEquals("there is no connection 5; it may have ended meanwhile", refusal.message());
    assertEquals(List.of(6L), List.copyOf(broker.connections().open.keySet()));
  }

  @Test
  void validationOnlyClosesNothing() {
    broker.connections().add(5);
    assertEquals(5, close(5, true).getId());
    assertEquals(1, broker.connections().count());
    assertEquals(Status.Code.NOT_FOUND, refused(() -> close(7, true)).code());
  }

  private BrokerServiceDescribeResponse describe() {
    return service.describe(BrokerServiceDescribeRequest.getDefaultInstance());
  }

  private BrokerServiceListConnectionsResponse page(int size, String token) {
    return service.listConnections(
        BrokerServiceListConnectionsRequest.newBuilder()
            .setPageSize(size)
            .setPageToken(token)
            .build());
  }

  private Connection close(long id, boolean validateOnly) {
    return service
        .closeConnection(
            BrokerServiceCloseConnectionRequest.newBuilder()
                .setId(id)
                .setValidateOnly(validateOnly)
                .build())
        .getConnection();
  }

  private static Duration duration(long seconds, int nanos) {
    return Duration.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }
}
