package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.BrokerServiceCloseConnectionRequest;
import io.minikafka.admin.v1.BrokerServiceGrpc;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceDeleteOffsetsRequest;
import io.minikafka.admin.v1.GroupServiceDeleteRequest;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetRequest;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The broker's log names each change: what was done to what, by whom and from where. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class AuditTest extends GroupChangesBench {
  private static final List<String> LOOKING =
      List.of("List", "Describe", "Watch", "Verify", "Tail", "Plan");

  /** Calls that have no line here: why not. */
  private static final Map<String, String> WITHOUT =
      Map.of(
          "LogService/Flush",
          "nothing changes that anybody sees",
          "LogService/RepairPartition",
          "there is no damage in these logs: see the tests of repairs");

  private static final Logger LOGGER = Logger.getLogger("io.minikafka.broker");

  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().intValue() == Level.INFO.intValue()) {
            lines.add(line.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
  }

  /** A change that is tried if it is told to be, and of what its line is. */
  private record Change(Consumer<Boolean> ask, String what) {}

  private Map<String, Change> changes() {
    Map<String, Change> all = new LinkedHashMap<>();
    all.put(
        "TopicService/Create",
        new Change(
            trial ->
                client.topics.create(
                    TopicServiceCreateRequest.newBuilder()
                        .setName("made")
                        .setPartitionCount(1)
                        .setValidateOnly(trial)
                        .build()),
            "made"));
    all.put(
        "TopicService/UpdateConfig",
        new Change(
            trial ->
                client.topics.updateConfig(
                    TopicServiceUpdateConfigRequest.newBuilder()
                        .setName("made")
                        .putSet("retention.ms", "12345")
                        .setValidateOnly(trial)
                        .build()),
            "12345"));
    all.put(
        "TopicService/AddPartitions",
        new Change(
            trial ->
                client.topics.addPartitions(
                    TopicServiceAddPartitionsRequest.newBuilder()
                        .setName("made")
                        .setPartitionCount(2)
                        .setValidateOnly(trial)
                        .build()),
            "made"));
    all.put(
        "TopicService/DeleteRecords",
        new Change(
            trial ->
                client.topics.deleteRecords(
                    TopicServiceBench.deletion("a", 0, 5).setValidateOnly(trial).build()),
            "'a'"));
    all.put(
        "TopicService/Delete",
        new Change(
            trial ->
                client.topics.delete(
                    TopicServiceDeleteRequest.newBuilder()
                        .setName("made")
                        .setValidateOnly(trial)
                        .build()),
            "made"));
    all.put(
        "LogService/Append",
        new Change(
            trial ->
                client.logs.append(
                    LogServiceAppendRequest.newBuilder()
                        .setTopic("b")
                        .addRecords(
                            AppendRecord.newBuilder().setValue(ByteString.copyFromUtf8("v")))
                        .setValidateOnly(trial)
                        .build()),
            "'b'"));
    all.put(
        "GroupService/ApplyOffsetReset",
        new Change(
            trial ->
                groups.applyOffsetReset(
                    GroupServiceApplyOffsetResetRequest.newBuilder()
                        .setToken(plan(reset("g")).getToken())
                        .setValidateOnly(trial)
                        .build()),
            "a-0 40 → 5"));
    all.put(
        "GroupService/UndoOffsetReset",
        new Change(
            trial ->
                groups.undoOffsetReset(
                    GroupServiceUndoOffsetResetRequest.newBuilder()
                        .setGroup("g")
                        .setValidateOnly(trial)
                        .build()),
            "a-0 5 → 40"));
    all.put(
        "GroupService/DeleteOffsets",
        new Change(
            trial ->
                groups.deleteOffsets(
                    GroupServiceDeleteOffsetsRequest.newBuilder()
                        .setGroup("g")
                        .addPartitions(of("a", 0))
                        .setValidateOnly(trial)
                        .build()),
            "a-0"));
    all.put(
        "GroupService/Delete",
        new Change(
            trial ->
                groups.delete(
                    GroupServiceDeleteRequest.newBuilder()
                        .setGroup("g")
                        .setValidateOnly(trial)
                        .build()),
            "'g'"));
    all.put(
        "BrokerService/CloseConnection",
        new Change(
            trial ->
                BrokerServiceGrpc.newBlockingStub(client.channel)
                    .closeConnection(
                        BrokerServiceCloseConnectionRequest.newBuilder()
                            .setId(11)
                            .setValidateOnly(trial)
                            .build()),
            "client-11"));
    return all;
  }

  @Test
  void everyChangeHasALineThatSaysWhoDidWhatFromWhereAndATrialHasNone() {
    commit("g", "a", 0, 40);
    broker.connections().add(11);
    changes()
        .forEach(
            (name, change) -> {
              lines.clear();
              change.ask().accept(true);
              assertEquals(List.of(), lines, name);

              change.ask().accept(false);

              LogBroker.await("the line of " + name, () -> !lines.isEmpty());
              assertEquals(1, lines.size(), () -> name + lines);
              String line = lines.getFirst();
              assertTrue(line.contains(" by anonymous at 127.0.0.1"), line);
              assertTrue(line.contains(change.what()), line);
            });
  }

  @Test
  void noChangeIsForgottenHere() {
    assertEquals(
        AdminDescriptors.methods().stream()
            .filter(method -> LOOKING.stream().noneMatch(method.getName()::startsWith))
            .map(method -> method.getService().getName() + "/" + method.getName())
            .filter(name -> !WITHOUT.containsKey(name))
            .collect(Collectors.toCollection(TreeSet::new)),
        new TreeSet<>(changes().keySet()));
  }
}
