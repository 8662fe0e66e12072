package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static io.minikafka.admin.HarmedLog.records;
import static io.minikafka.admin.v1.RepairAction.REPAIR_ACTION_CUT;
import static io.minikafka.admin.v1.RepairAction.REPAIR_ACTION_SKIP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.DamagedRange;
import io.minikafka.admin.v1.LogServiceRepairPartitionResponse;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.OffsetRange;
import io.minikafka.admin.v1.RepairAction;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.VerifyFinding;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verify, Tail and RepairPartition over a channel, on a real log of which bytes were changed. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class LogServiceDamageTest {
  @Inject FakeBroker broker;

  @TestHTTPResource URI http;

  @TempDir Path data;

  private HarmedLog log;

  @BeforeEach
  void write() throws IOException {
    log = new HarmedLog(broker, http, data);
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  @Test
  void verifyNamesDamageAsNewOnceAndAsKnownAfterThat() throws Exception {
    assertEquals(List.of(), log.findings());
    log.harm();
    List<LogServiceVerifyResponse> parts = log.verify();
    LogServiceVerifyResponse told =
        parts.stream().filter(part -> part.getFindingsCount() > 0).findFirst().orElseThrow();
    assertEquals(HarmedLog.NAME, told.getTopic());
    assertEquals(0, told.getPartition());
    DamagedRange damage = told.getFindings(0).getNewDamage();
    long half = Files.size(log.segment(0, 10)) / 2;
    assertEquals(
        DamagedRange.newBuilder()
            .setFromOffset(15)
            .setToOffset(20)
            .setSegmentBaseOffset(10)
            .setPosition(half)
            .setSizeBytes(half)
            .setCause(damage.getCause())
            .setFoundAt(damage.getFoundAt())
            .build(),
        damage);
    assertTrue(damage.getCause().contains("checksum"), damage.getCause());
    assertEquals(2, parts.getLast().getCheckedPartitionCount());
    assertEquals(
        List.of(VerifyFinding.newBuilder().setKnownDamage(described()).build()), log.findings());
  }

  private DamagedRange described() {
    return client()
        .topics
        .describe(TopicServiceDescribeRequest.newBuilder().setName(HarmedLog.NAME).build())
        .getPartitions(0)
        .getDamage(0);
  }

  private ControlPlane client() {
    return log.client;
  }

  @Test
  void verifyNamesAFileThatCannotBeReadAndReadsTheOthers() throws Exception {
    log.harm();
    log.disk.readFault =
        (action, path) -> {
          if (path.equals(log.segment(0, 0))) {
            throw new IOException("the medium says no");
          }
        };
    List<VerifyFinding> found = log.findings();
    assertEquals(2, found.size(), found::toString);
    assertEquals(0, found.get(0).getUnreadable().getBaseOffset());
    assertTrue(found.get(0).getUnreadable().getCause().contains("the medium says no"));
    assertEquals(15, found.get(1).getNewDamage().getFromOffset());
  }

  @Test
  void tailEndsBeforeDamageAndNamesItAndGoesOnBehindIt() throws Exception {
    log.harm();
    log.findings();
    List<String> seen = new ArrayList<>();
    Refusal refusal =
        refused(
            () -> {
              log.see(12, seen);
              return "";
            });
    assertEquals(records(12, 15), seen);
    assertEquals(
        new Refusal(
            Status.Code.DATA_LOSS,
            "DAMAGED_RANGE",
            "offsets 15 to 19 of harmed-0 are damaged (%s); what is behind begins at offset 20"
                .formatted(described().getCause()),
            Map.of()),
        refusal);
    assertEquals(records(20, 40), log.seen(20));
  }

  /** Nobody has looked yet: what is told is checked. */
  @Test
  void tailTellsNoRecordThatIsNotAsItWasWritten() throws Exception {
    log.harm();
    List<String> seen = new ArrayList<>();
    Refusal refusal =
        refused(
            () -> {
              log.see(0, seen);
              return "";
            });
    assertEquals(Status.Code.DATA_LOSS, refusal.code());
    assertEquals("DAMAGED_RANGE", refusal.reason());
    assertTrue(seen.size() >= 15 && seen.size() < 20, seen::toString);
    assertEquals(records(0, seen.size()), seen);
  }

  @Test
  void skippedDamageIsPassedOverWithACopyAndEverythingElseIsServed() throws Exception {
    log.harm();
    byte[] before = Files.readAllBytes(log.segment(0, 10));
    byte[] harmed = Arrays.copyOfRange(before, before.length / 2, before.length);
    DamagedRange damage = log.findings().getFirst().getNewDamage();
    LogServiceRepairPartitionResponse plan = repaired(REPAIR_ACTION_SKIP, true);
    assertEquals(
        LogServiceRepairPartitionResponse.newBuilder()
            .setRange(damage)
            .setLost(OffsetRange.newBuilder().setFromOffset(15).setToOffset(20))
            .setLogEndOffset(40)
            .setSetAsideBytes(harmed.length)
            .addRewrittenFiles("%020d.log".formatted(10))
            .build(),
        plan);
    assertEquals(1, log.findings().size(), "a plan repairs nothing");

    LogServiceRepairPartitionResponse done = repaired(REPAIR_ACTION_SKIP, false);
    assertEquals(plan, done.toBuilder().clearCopies().build());
    assertEquals(1, done.getCopiesCount());
    assertTrue(Arrays.equals(harmed, Files.readAllBytes(data.resolve(done.getCopies(0)))));
    List<String> expected = new ArrayList<>(records(0, 15));
    expected.add("15–20 lost");
    expected.addAll(records(20, 40));
    assertEquals(expected, log.seen(0));
    VerifyFinding skipped = log.findings().getFirst();
    assertEquals(15, skipped.getSkipped().getFromOffset());
    assertEquals(20, skipped.getSkipped().getToOffset());
    Refusal again = refused(() -> repaired(REPAIR_ACTION_SKIP, false));
    assertEquals(Status.Code.FAILED_PRECONDITION, again.code());
    assertEquals("NOT_DAMAGED", again.reason());
  }

  private LogServiceRepairPartitionResponse repaired(RepairAction action, boolean validateOnly) {
    return client()
        .logs
        .repairPartition(log.repair(action, 17).toBuilder().setValidateOnly(validateOnly).build());
  }

  @Test
  void aLogThatIsCutEndsWhereTheDamageBegan() throws Exception {
    log.harm();
    log.findings();
    LogServiceRepairPartitionResponse done = repaired(REPAIR_ACTION_CUT, false);
    assertEquals(15, done.getLogEndOffset());
    assertEquals(40, done.getLost().getToOffset());
    assertEquals(3, done.getCopiesCount());
    assertEquals(2, done.getRemovedFilesCount());
    assertEquals(records(0, 15), log.seen(0));
    assertEquals(List.of(), log.findings());
    log.append(0);
    assertEquals(records(0, 20), log.seen(0));
  }

  @Test
  void ofTwoRepairsAtOnceOneIsDoneAndTheOtherFindsNothingToDo() throws Exception {
    log.harm();
    log.findings();
    List<String> outcomes =
        Stream.of(REPAIR_ACTION_SKIP, REPAIR_ACTION_SKIP).parallel().map(this::outcome).toList();
    assertEquals(List.of("NOT_DAMAGED", "done"), outcomes.stream().sorted().toList());
    assertEquals(36, log.seen(0).size());
  }

  private String outcome(RepairAction action) {
    try {
      repaired(action, false);
      return "done";
    } catch (io.grpc.StatusRuntimeException e) {
      return refused(
              () -> {
                throw e;
              })
          .reason();
    }
  }

  @Test
  void aDiskThatIsFullChangesNothing() throws Exception {
    log.harm();
    log.findings();
    var before = log.files();
    log.disk.mostFreeBytes = 700;
    for (RepairAction action : List.of(REPAIR_ACTION_SKIP, REPAIR_ACTION_CUT)) {
      for (boolean validateOnly : List.of(true, false)) {
        Refusal refusal = refused(() -> repaired(action, validateOnly));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.code());
        assertEquals("DISK_FULL", refusal.reason());
        assertTrue(
            refusal.message().startsWith("harmed-0: 700 bytes of the disk are free, the repair"),
            refusal::message);
        assertEquals(before, log.files());
      }
    }
    log.disk.mostFreeBytes = Long.MAX_VALUE;
    assertEquals(1, repaired(REPAIR_ACTION_SKIP, false).getCopiesCount());
    assertFalse(before.equals(log.files()));
  }
}
