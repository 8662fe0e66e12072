package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.TopicPartition;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.CommitRefusedException;
import io.minikafka.client.CommittedOffset;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Resets on the real command line, against a real broker and members of the client library. */
@Timeout(180)
class GroupResetIT {
  private static final TopicPartition T0 = new TopicPartition("t", 0);

  @TempDir Path dir;
  private CommandLineRig rig;

  @BeforeEach
  void start() throws Exception {
    rig = new CommandLineRig(dir);
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 100);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void aLiveGroupIsRefusedWithoutForceAndWithItTheNextPollGoesOnAtTheNewOffset() throws Exception {
    try (Consumer member = member()) {
      assertEquals(offsets(0, 100), read(member, 100));
      member.commitSync();

      Launcher.Result refused = rig.run("group", "reset", "g", "--to-offset", "40", "--yes");

      assertEquals(1, refused.exitCode());
      String id = member.groupMember().orElseThrow().member();
      assertTrue(refused.err().contains("group g has 1 member: " + id + "; --force"), refused::err);
      assertEquals(100, committed());
      Launcher.Result delete = rig.run("group", "delete", "g", "--yes");
      assertEquals(1, delete.exitCode());
      assertTrue(delete.err().endsWith("; stop the members first\n"), delete::err);

      rig.ok("group", "reset", "g", "--to-offset", "40", "--force", "--yes");

      Launcher.Result undo = rig.run("group", "undo", "g", "--yes");
      assertEquals(1, undo.exitCode());
      assertTrue(undo.err().endsWith("; --force undoes it nonetheless\n"), undo::err);
      assertEquals(offsets(40, 100), read(member, 60));
      member.commitSync();
      assertEquals(100, committed());
    }
  }

  @Test
  void whatAMemberHadReadBeforeTheResetIsNotCommittedAfterIt() throws Exception {
    try (Consumer member = member()) {
      read(member, 100);
      rig.ok("group", "reset", "g", "--to-earliest", "--force", "--yes");

      assertThrows(
          CommitRefusedException.class,
          () -> member.commitSync(Map.of(T0, CommittedOffset.of(100))));
      assertEquals(0, committed());
      assertEquals(offsets(0, 100), read(member, 100));
    }
  }

  @Test
  void aResetIsUndoneAfterTheBrokerWasKilled() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    rig.ok("group", "reset", "g", "--shift-by", "-60", "--yes");
    assertEquals(10, committed());
    rig.broker().kill();
    rig.startAgain();

    assertTrue(rig.ok("group", "undo", "g", "--yes").endsWith("undone\n"));

    assertEquals(70, committed());
    Launcher.Result again = rig.run("group", "undo", "g", "--yes");
    assertEquals(1, again.exitCode());
    assertTrue(again.err().contains("group g was not reset"), again::err);
  }

  @Test
  void thePlanIsShownAndNothingChangesWithoutConsent() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    String table =
        "TOPIC  PARTITION  OLD  NEW  REPLAYED  SKIPPED  CLAMPED\n"
            + "t              0   70  100         0       30  to end\n"
            + "t-0: 500 lies beyond the end: it is set to that, 100\n";

    assertEquals(
        table + "nothing was changed\n",
        rig.ok("group", "reset", "g", "--to-offset", "500", "--dry-run"));
    Launcher.Result nobody = rig.run("group", "reset", "g", "--to-offset", "500");
    assertEquals(2, nobody.exitCode());
    assertEquals(table, nobody.out(), "the plan is shown all the same");
    assertTrue(
        nobody.err().contains("nobody is there to be asked; --yes resets without asking"),
        nobody::err);
    Launcher.Result program =
        rig.run("group", "reset", "g", "--to-offset", "500", "--output", "json");
    assertEquals(2, program.exitCode());
    assertEquals("", program.out());
    assertTrue(program.err().startsWith(table + "{\"command\":"), program::err);
    assertEquals(1, rig.run("group", "undo", "g").exitCode(), "there is nothing to undo");
    assertEquals(2, rig.run("group", "delete", "g").exitCode());
    assertEquals(2, rig.run("group", "delete-offsets", "g", "--topic", "t").exitCode());
    assertEquals(70, committed());

    assertEquals(
        table + "reset 1 partition of group g; minikafka group undo g puts back what was\n",
        rig.ok("group", "reset", "g", "--to-offset", "500", "--yes"));
    assertEquals(100, committed());
    String again = rig.ok("group", "reset", "g", "--to-latest", "--yes");
    assertTrue(again.endsWith("nothing was changed: group g was there already\n"), again);
  }

  @Test
  void aGroupThatDoesNotExistIsNeitherMadeNorSaidToBeWhereNothingChanges() throws Exception {
    assertEquals(
        "TOPIC  PARTITION  OLD  NEW  REPLAYED  SKIPPED  CLAMPED\n"
            + "t              0    -    -         0        0        -\n"
            + "t-0: nothing is committed: it is left as it is\n"
            + "the group does not exist\n"
            + "no offset changes\n"
            + "nothing was changed: group ghost has committed nothing there\n",
        rig.ok("group", "reset", "ghost", "--to-current", "--topic", "t", "--yes"));
    assertEquals(1, rig.run("group", "describe", "ghost").exitCode());
  }

  @Test
  void onATerminalItAsksAndOnlyYesIsYes() throws Exception {
    boolean there = Files.isExecutable(Path.of("/usr/bin/script"));
    if (!there) {
      System.out.println("skipped: no /usr/bin/script to make a terminal with");
    }
    assumeTrue(there);
    rig.ok("consume", "t", "--group", "g", "--max", "70");

    for (String no : List.of("", "n", "yess")) {
      String said = typed(no, "group", "reset", "g", "--to-earliest");
      assertTrue(said.contains("Reset group g? [y/N]"), said);
      assertTrue(said.contains("nothing was changed"), said);
      assertEquals(70, committed());
    }
    String json = typed("Y", "group", "reset", "g", "--to-earliest", "--output", "json");
    assertTrue(json.contains("REPLAYED") && json.contains("\"dryRun\":false"), json);
    assertEquals(0, committed());
    assertTrue(typed("yes", "group", "undo", "g").contains("undone"));
    assertEquals(70, committed());
    typed("y", "group", "delete-offsets", "g", "--topic", "t");
    assertEquals(-1, committed());
  }

  /** What the command printed on a terminal on which that answer was typed. */
  private String typed(String answer, String... args) throws IOException, InterruptedException {
    String line = "MINIKAFKA " + String.join(" ", args);
    return rig.shell("echo '%s' | script -qec '%s' /dev/null".formatted(answer, line)).out();
  }

  @Test
  void whatIsPrintedForProgramsIsReadBackFromAFile() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    Path plan = dir.resolve("plan.json");
    String json =
        rig.ok("group", "reset", "g", "--to-offset", "7", "--dry-run", "--output", "json");
    assertEquals(
        "{\"group\":\"g\",\"dryRun\":true,\"state\":\"empty\",\"memberIds\":[],\"partitions\":["
            + "{\"topic\":\"t\",\"partition\":0,\"oldOffset\":70,\"newOffset\":7,\"replayedRecords\":63,"
            + "\"skippedRecords\":0,\"warnings\":[]}],\"warnings\":[]}\n",
        json);
    Files.writeString(plan, json);
    rig.ok("group", "reset", "new", "--from-file", plan.toString(), "--yes");
    assertEquals(7, committed("new"));
    Launcher.Result piped =
        rig.shell("echo t,0,11 | MINIKAFKA group reset piped --from-file - --yes");
    assertEquals(0, piped.exitCode(), piped::err);
    assertEquals(11, committed("piped"));

    Path saved = dir.resolve("saved.json");
    String deleted = rig.ok("group", "delete", "new", "--yes", "--output", "json");
    assertEquals(
        "{\"group\":\"new\",\"dryRun\":false,\"offsets\":[{\"topic\":\"t\",\"partition\":0,"
            + "\"committedOffset\":7}]}\n",
        deleted);
    assertEquals(-1, committed("new"));
    rig.ok(
        "group",
        "reset",
        "new",
        "--from-file",
        Files.writeString(saved, deleted).toString(),
        "--yes");
    assertEquals(7, committed("new"));

    Path lines = Files.writeString(dir.resolve("lines"), "# by hand\nt 0 9\n");
    rig.ok("group", "reset", "new", "--from-file", lines.toString(), "--yes");
    assertEquals(9, committed("new"));
    rig.ok("group", "reset", "g", "--to-group", "new", "--yes", "--output", "json");
    assertEquals(9, committed());
  }

  @Test
  void offsetsAndGroupsAreDeleted() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");
    String table = "TOPIC  PARTITION  OFFSET\nt              0      70\n";

    assertEquals(
        table + "would delete 1 offset of group g\n",
        rig.ok("group", "delete-offsets", "g", "--topic", "t:0", "--dry-run"));
    assertEquals(70, committed());
    assertEquals(
        table + "deleted 1 offset of group g\n",
        rig.ok("group", "delete-offsets", "g", "--topic", "t", "--yes"));
    assertEquals(-1, committed());
    assertEquals("would delete group g\n", rig.ok("group", "delete", "g", "--dry-run"));
    assertEquals("deleted group g\n", rig.ok("group", "delete", "g", "--yes"));
    Launcher.Result gone = rig.run("group", "delete", "g", "--yes");
    assertEquals(1, gone.exitCode());
    assertTrue(gone.err().contains("no group 'g'"), gone::err);
  }

  @Test
  void timesOfRecordsAreFoundAndATimeWithoutItsZoneIsRefused() throws Exception {
    rig.ok("consume", "t", "--group", "g", "--max", "70");

    rig.ok("group", "reset", "g", "--by-duration", "1h", "--yes");
    assertEquals(0, committed());
    rig.ok("group", "reset", "g", "--to-latest", "--yes");
    rig.ok("group", "reset", "g", "--by-duration", "PT1H", "--yes");
    assertEquals(0, committed());
    rig.ok("group", "reset", "g", "--to-latest", "--yes");
    rig.ok("group", "reset", "g", "--to-timestamp", "-1h30m", "--yes");
    assertEquals(0, committed());
    String beyond = rig.ok("group", "reset", "g", "--to-time", "2100-01-01T00:00:00Z", "--yes");
    assertTrue(
        beyond.contains("t-0: no record is of 2100-01-01T00:00:00Z or later: it is set to the end"),
        beyond);
    assertEquals(100, committed());
    Launcher.Result noZone =
        rig.run("group", "reset", "g", "--to-time", "2026-01-31T12:00:00", "--yes");
    assertEquals(2, noZone.exitCode());
    assertTrue(
        noZone.err().contains("is no time; a time is of RFC 3339 with its zone"), noZone::err);
  }

  @Test
  void whatIsAskedWronglyIsSaid() throws Exception {
    assertEquals(2, rig.run("group", "reset", "g", "--yes").exitCode());
    assertEquals(2, rig.run("group", "reset", "--to-latest", "--yes").exitCode());
    assertEquals(
        2, rig.run("group", "reset", "g", "--to-latest", "--to-earliest", "--yes").exitCode());
    assertEquals(2, rig.run("group", "reset", "g", "--to-offset", "x", "--yes").exitCode());
    assertEquals(
        2, rig.run("group", "reset", "g", "--to-latest", "--topic", "t:x", "--yes").exitCode());
    assertEquals(
        1, rig.run("group", "reset", "g", "--to-latest", "--topic", "x", "--yes").exitCode());
    Launcher.Result missing = rig.run("group", "reset", "g", "--from-file", "nowhere", "--yes");
    assertEquals(1, missing.exitCode());
    assertEquals("minikafka group reset: no such file: nowhere\n", missing.err());
    assertEquals(1, rig.run("group", "reset", "g", "--to-latest", "--yes").exitCode());
    assertEquals(-1, committed());
  }

  private Consumer member() {
    Consumer member =
        Consumer.open(
            ConsumerSettings.builder(
                    ClientSettings.of(new ServerAddress("127.0.0.1", rig.broker().port())))
                .build());
    member.subscribe(
        List.of("t"), GroupSettings.builder("g").autoCommit(false).build(), RebalanceListener.NONE);
    return member;
  }

  private static List<Long> read(Consumer member, int records) {
    long deadlineNanos = System.nanoTime() + 60_000_000_000L;
    List<Long> offsets = new ArrayList<>();
    while (offsets.size() < records) {
      assertTrue(System.nanoTime() < deadlineNanos, () -> "read only " + offsets);
      for (ConsumerRecord record : member.poll(Duration.ofMillis(20))) {
        offsets.add(record.offset());
      }
    }
    return offsets;
  }

  private static List<Long> offsets(long from, long until) {
    return LongStream.range(from, until).boxed().toList();
  }

  private long committed() throws Exception {
    return committed("g");
  }

  /** −1 if nothing is. */
  private long committed(String group) throws Exception {
    String json = rig.ok("offsets", "t", "--group", group, "--output", "json");
    String number = json.replaceAll("(?s).*\"committedOffset\":(\\d+).*", "$1");
    return number.equals(json) ? -1 : Long.parseLong(number);
  }
}
