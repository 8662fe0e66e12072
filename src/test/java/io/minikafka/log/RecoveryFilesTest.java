package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.WrittenLog.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files and directories that are missing, and such that nobody knows. */
class RecoveryFilesTest {
  @TempDir Path data;

  private RecoveryRig rig;
  private WrittenLog log;

  @BeforeEach
  void begin() throws IOException {
    rig = new RecoveryRig(data, new UnforcedDisk());
    log = new WrittenLog(data);
  }

  @Test
  void aMissingSegmentInTheMiddleIsDamage() throws IOException {
    log.fill(3).roll().fill(3).roll().fill(3).writeIndexes();
    long from = log.segments.get(1);
    long to = log.segments.get(2);
    Files.delete(log.file(from));
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertDamaged(recovered, from, to);
    assertEquals(log.end, recovered.end());
    assertEquals("", recovered.offline());
    rig.assertServes(recovered, log.values(batch -> batch.segment() != from));
  }

  @Test
  void aMissingFirstSegmentAboveTheLogStartIsDamage() throws IOException {
    log.fill(3).roll().fill(3).writeIndexes();
    Files.delete(log.file(0));
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertDamaged(recovered, 0, log.segments.get(1));
    assertEquals(0, recovered.start());
    rig.assertServes(recovered, log.values(batch -> batch.segment() != 0));
  }

  @Test
  void aMissingSegmentBelowTheLogStartIsNone() throws IOException {
    log.fill(3).roll().fill(3).roll().fill(3).writeIndexes();
    Files.delete(log.file(0));
    RecoveredLog recovered = rig.unclean(withStart(log.batch(4).base()));
    rig.assertOpenAt(recovered, log.end);
    assertEquals(log.batch(4).base(), recovered.start());
    rig.assertServes(recovered, log.values(batch -> batch.segment() != 0));
  }

  @Test
  void whatRetentionLeftUndoneIsDone() throws IOException {
    log.fill(3).roll().fill(3).roll().fill(3).writeIndexes();
    RecoveredLog recovered = rig.unclean(withStart(log.segments.get(2)));
    rig.assertOpenAt(recovered, log.end);
    assertEquals(List.of(), recovered.sealed());
    assertEquals(3, rig.image().size(), () -> "left behind in " + rig.directory);
    rig.assertServes(recovered, log.values(batch -> batch.segment() == log.segments.get(2)));
  }

  @Test
  void withAnOlderCheckpointSegmentsMissingInFrontAreTakenForDeleted() throws IOException {
    log.fill(3).roll().fill(3).writeIndexes();
    Files.delete(log.file(0));
    rig.startsAreExact = false;
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    rig.assertOpenAt(recovered, log.end);
    assertEquals(log.segments.get(1), recovered.start());
  }

  @Test
  void aMissingLastSegmentBelowTheDurableOffsetIsDamageAndRefusesAppends() throws IOException {
    log.fill(3).roll().fill(3).writeIndexes();
    Files.delete(log.lastFile());
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.batch(4).base()));
    assertDamaged(recovered, log.segments.get(1), log.end);
    assertEquals(log.end, recovered.end());
    assertTrue(recovered.offline().contains("until it is repaired"), recovered.offline());
    rig.assertServes(recovered, log.values(batch -> batch.segment() == 0));
  }

  @Test
  void aMissingLastSegmentAboveTheDurableOffsetIsATornTail() throws IOException {
    log.fill(3).roll().fill(3).writeIndexes();
    Files.delete(log.lastFile());
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.segments.get(1)));
    rig.assertOpenAt(recovered, log.segments.get(1));
    assertEquals(0, recovered.active().orElseThrow().baseOffset());
  }

  @Test
  void aMissingDirectoryIsDamageIfTheCheckpointKnowsData() throws IOException {
    log.fill(3);
    Files.delete(log.lastFile());
    for (int step = 0; step < 2; step++) {
      RecoveredLog recovered = rig.unclean(withStart(2));
      assertDamaged(recovered, 2, log.end);
      assertEquals(2, recovered.start());
      assertEquals(log.end, recovered.end());
      assertTrue(recovered.active().isEmpty());
      assertTrue(recovered.offline().contains("until it is repaired"), recovered.offline());
      Files.deleteIfExists(LogFiles.damage(log.directory));
      Files.deleteIfExists(log.directory);
    }
  }

  @Test
  void aMissingDirectoryOfAnEmptyLogIsAnEmptyLog() throws IOException {
    Files.delete(log.lastFile());
    Files.delete(log.directory);
    RecoveredLog known = rig.unclean(new CheckpointEntry(WrittenLog.ID, 7, 0, 0, 0, 0, 0, 0));
    rig.assertOpenAt(known, 0);
    assertEquals(8, known.epoch());
    RecoveredLog unknown = rig.unknown();
    rig.assertOpenAt(unknown, 0);
    assertEquals(1, unknown.epoch());
    assertFalse(Files.exists(log.directory));
  }

  @Test
  void aMissingDirectoryOfALogThatWasTrimmedToItsEndGoesOnThere() throws IOException {
    Files.delete(log.lastFile());
    Files.delete(log.directory);
    RecoveredLog recovered =
        rig.unclean(new CheckpointEntry(WrittenLog.ID, 2, 40, 40, 40, 40, 0, 0));
    rig.assertOpenAt(recovered, 40);
    assertEquals(40, recovered.start());
  }

  @Test
  void aSegmentThatBeginsTooEarlyDoesNotRepeatOffsets() throws IOException {
    log.fill(6);
    Batch twice = log.batch(4);
    log.durable = log.end;
    log.roll().fill(2);
    // An older copy of a part of the first segment turned up.
    Files.write(log.file(twice.base()), twice.written());
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    assertEquals(log.end, recovered.end());
    rig.assertServes(recovered, log.values(batch -> recovered.damage().at(batch.base()).isEmpty()));
    assertDamaged(recovered, log.batch(5).base(), log.segments.get(1));
  }

  @Test
  void strangersAreToldOnceAndStay() throws IOException {
    log.fill(3);
    Files.writeString(log.directory.resolve("notes.txt"), "mine");
    Files.createDirectories(log.directory.resolve("00000000000000000900.log/sub"));
    Files.writeString(log.directory.resolve("900.log"), "no 20 digits");
    Files.writeString(log.directory.resolve("00000000000000000000.index.tmp"), "left by a crash");
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    rig.assertOpenAt(recovered, log.end);
    String directory = data.relativize(log.directory).toString();
    assertEquals(
        List.of(
            directory + "/900.log is nothing of a log's; left alone",
            directory + "/notes.txt is nothing of a log's; left alone"),
        rig.strangers.subList(1, 3));
    assertTrue(rig.strangers.getFirst().contains("moved to"), rig.strangers::toString);
    assertFalse(Files.exists(LogFiles.log(log.directory, 900)));
    assertEquals("mine", Files.readString(log.directory.resolve("notes.txt")));
  }

  @Test
  @Timeout(30)
  void onlyARegularFileIsASegment() throws IOException, InterruptedException {
    log.fill(3);
    Path pipe = LogFiles.log(log.directory, 779);
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path link = LogFiles.log(log.directory, 780);
    Files.createSymbolicLink(link, data.resolve("nowhere"));
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    rig.assertOpenAt(recovered, log.end);
    assertEquals(0, recovered.active().orElseThrow().baseOffset());
    assertEquals(2, rig.strangers.size(), rig.strangers::toString);
    assertTrue(rig.strangers.getFirst().contains("no regular file"), rig.strangers::toString);
    assertFalse(rig.disk.list(log.directory).contains(pipe.getFileName().toString()));
    assertFalse(rig.disk.list(log.directory).contains(link.getFileName().toString()));
  }

  @Test
  @Timeout(30)
  void whatHasTheNameOfTheSpareSegmentAndIsNoFileIsSetAside()
      throws IOException, InterruptedException {
    log.fill(3);
    Path spare = LogFiles.spare(log.directory);
    Process made = new ProcessBuilder("mkfifo", spare.toString()).start();
    assertEquals(0, made.waitFor());
    rig.assertOpenAt(rig.unclean(log.checkpoint(log.end)), log.end);
    assertFalse(Files.exists(spare));
    Files.createDirectories(spare.resolve("full"));
    rig.assertOpenAt(rig.unclean(log.checkpoint(log.end)), log.end);
    assertFalse(Files.exists(spare));
    Files.createSymbolicLink(spare, data.resolve("nowhere"));
    rig.assertOpenAt(rig.unclean(log.checkpoint(log.end)), log.end);
    assertFalse(Files.exists(spare, LinkOption.NOFOLLOW_LINKS));
    assertEquals(3, rig.strangers.size(), rig.strangers::toString);
    assertEquals(3, rig.disk.list(LogFiles.setAside(data)).size());
  }

  @Test
  @Timeout(30)
  void aPipeInPlaceOfTheListOfDamageTakesThePartitionOffline()
      throws IOException, InterruptedException {
    log.fill(3);
    String pipe = LogFiles.damage(log.directory).toString();
    assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertFalse(recovered.readable());
    assertTrue(recovered.offline().contains("no regular file"), recovered.offline());
  }

  @Test
  void anIndexWithoutItsSegmentIsSetAside() throws IOException {
    log.fill(3);
    Path orphan = LogFiles.timeIndex(log.directory, 900);
    Files.writeString(orphan, "orphan");
    rig.unclean(log.checkpoint(log.end));
    assertFalse(Files.exists(orphan));
    String name = data.relativize(orphan).toString().replace('/', '_');
    assertEquals("orphan", Files.readString(LogFiles.setAside(data).resolve(name)));
    assertEquals(1, rig.strangers.size());

    Files.writeString(orphan, "again");
    rig.unclean(log.checkpoint(log.end));
    assertEquals("again", Files.readString(LogFiles.setAside(data).resolve(name + ".1")));
  }

  @Test
  void theDataDirectorysStrangersNeverFailAStart() throws IOException {
    log.fill(1);
    UUID gone = new UUID(1, 2);
    Files.createDirectories(LogFiles.topic(data, gone).resolve("0"));
    Files.writeString(LogFiles.topic(data, gone).resolve("0").resolve("x"), "kept");
    Files.createDirectory(data.resolve("lost+found"));
    Files.createDirectory(data.resolve("1-1-1-1-1"));
    Files.createDirectory(LogFiles.topic(data, WrittenLog.ID.topicId()).resolve("007"));
    Files.createDirectory(LogFiles.topic(data, WrittenLog.ID.topicId()).resolve("-1"));
    Files.writeString(LogFiles.checkpoint(data), "");
    Files.writeString(LogFiles.lock(data), "");
    Files.writeString(LogFiles.reserve(data), "");
    Files.createDirectory(LogFiles.meta(data));
    Strangers strangers = new Strangers(rig.disk, data, rig);
    strangers.lookThrough(Set.of(WrittenLog.ID.topicId()));
    strangers.lookThrough(Set.of(WrittenLog.ID.topicId()));
    assertEquals(5, rig.strangers.size(), rig.strangers::toString);
    assertEquals(
        "kept",
        Files.readString(
            LogFiles.setAside(data).resolve(gone.toString()).resolve("0").resolve("x")));
    assertTrue(Files.exists(data.resolve("lost+found")));
    assertTrue(Files.exists(log.lastFile()));
  }

  @Test
  void aStrangerThatCannotBeMovedIsLeftAndTold() throws IOException {
    UUID gone = new UUID(1, 2);
    Files.createDirectories(LogFiles.topic(data, gone));
    ((UnforcedDisk) rig.disk).fault =
        (action, path) -> {
          if (action.equals("rename")) {
            throw new IOException("device busy");
          }
        };
    new Strangers(rig.disk, data, rig).lookThrough(Set.of(WrittenLog.ID.topicId()));
    assertTrue(rig.strangers.getFirst().contains("device busy"), rig.strangers::toString);
    assertTrue(Files.exists(LogFiles.topic(data, gone)));
  }

  private CheckpointEntry withStart(long start) {
    return new CheckpointEntry(WrittenLog.ID, 1, start, log.end, 0, log.end, 0, 0);
  }

  private static void assertDamaged(RecoveredLog recovered, long from, long to) {
    assertEquals(
        List.of(from + "…" + to),
        recovered.damage().ranges().stream().map(r -> r.from() + "…" + r.to()).toList());
  }
}
