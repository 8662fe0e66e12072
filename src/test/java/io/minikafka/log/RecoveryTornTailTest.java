package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.log.WrittenLog.Batch;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies at or above the durable offset and is not whole goes, and only that. */
class RecoveryTornTailTest {
  @TempDir Path data;

  private RecoveryRig rig;
  private WrittenLog log;

  @BeforeEach
  void begin() throws IOException {
    rig = new RecoveryRig(data, new UnforcedDisk());
    log = new WrittenLog(data);
  }

  @Test
  void anIntactTailIsKept() throws IOException {
    log.fill(6);
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    rig.assertOpenAt(recovered, log.end);
    rig.assertServes(recovered, log.values(batch -> true));
    assertEquals(Files.size(log.lastFile()), recovered.active().orElseThrow().bytes());
    assertEquals(0, recovered.cutBytes());
    assertEquals(2, recovered.epoch());
    assertEquals(log.appendTime - 1, recovered.lastAppendTime());
    assertEquals(List.of(), rig.quarantined());
  }

  @Test
  void tornTailIsCutAtTheLastWholeBatchWhereverItIsTorn() throws IOException {
    log.fill(6);
    byte[] whole = Files.readAllBytes(log.lastFile());
    for (int cut = log.batch(-2).position(); cut < whole.length; cut++) {
      Files.write(log.lastFile(), Arrays.copyOf(whole, cut));
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.batch(-2).base()));
      int at = cut;
      Batch torn = log.batches.stream().filter(b -> b.end() > at).findFirst().orElseThrow();
      rig.assertOpenAt(recovered, torn.base());
      rig.assertServes(recovered, log.values(batch -> batch.base() < torn.base()));
      assertArrayEquals(
          Arrays.copyOf(whole, torn.position()), Files.readAllBytes(log.lastFile()), "cut " + cut);
      assertQuarantinedOnce(Arrays.copyOfRange(whole, torn.position(), cut));
      assertEquals(cut - torn.position(), recovered.cutBytes());
    }
  }

  @Test
  void aTailThatIsNotWrittenWholeIsCutWhateverIsMissing() throws IOException {
    log.fill(6);
    byte[] whole = Files.readAllBytes(log.lastFile());
    Batch torn = log.batch(-2);
    for (int hole = torn.position(); hole < torn.end(); hole++) {
      byte[] written = whole.clone();
      Arrays.fill(written, hole, Math.min(hole + 64, torn.end()), (byte) 0);
      if (Arrays.equals(whole, written)) {
        continue;
      }
      Files.write(log.lastFile(), written);
      RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
      rig.assertOpenAt(recovered, torn.base());
      rig.assertServes(recovered, log.values(batch -> batch.base() < torn.base()));
      assertQuarantinedOnce(Arrays.copyOfRange(written, torn.position(), written.length));
    }
  }

  @Test
  void zerosUpToTheEndAreATornTail() throws IOException {
    log.fill(4);
    byte[] whole = Files.readAllBytes(log.lastFile());
    for (int zeros : new int[] {1, 15, 27, 28, 95, 96, 97, 4096, 3 << 20}) {
      Files.write(log.lastFile(), Arrays.copyOf(whole, whole.length + zeros));
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
      rig.assertOpenAt(recovered, log.end);
      rig.assertServes(recovered, log.values(batch -> true));
      assertEquals(zeros, recovered.cutBytes());
      assertArrayEquals(whole, Files.readAllBytes(log.lastFile()));
    }
  }

  @Test
  void aFileOfZerosOnlyBecomesEmpty() throws IOException {
    log.fill(3).roll();
    Files.write(log.lastFile(), new byte[8192]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    rig.assertOpenAt(recovered, log.end);
    assertEquals(0, Files.size(log.lastFile()));
    assertEquals(0, recovered.lastMarkerCrc());
    assertEquals(log.appendTime - 1, recovered.lastAppendTime());
    rig.assertServes(recovered, log.values(batch -> true));
  }

  @Test
  void wholeBatchesBehindATornOneGoWithIt() throws IOException {
    log.fill(6);
    Batch torn = log.batch(3);
    rig.flip(log.lastFile(), torn.end() - 1, 0);
    RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
    rig.assertOpenAt(recovered, torn.base());
    rig.assertServes(recovered, log.values(batch -> batch.base() < torn.base()));
    assertEquals(torn.position(), Files.size(log.lastFile()));
  }

  @Test
  void segmentsBehindATornOneGoWithIt() throws IOException {
    log.fill(3).roll().fill(3).roll().fill(2).roll();
    Batch torn = log.batch(4);
    byte[] middle = Files.readAllBytes(log.file(torn.segment()));
    byte[] third = Files.readAllBytes(log.file(log.batch(-1).segment()));
    rig.flip(log.file(torn.segment()), torn.end() - 1, 7);
    middle[torn.end() - 1] ^= (byte) (1 << 7);
    Files.write(LogFiles.offsetIndex(log.directory, log.batch(-1).segment()), new byte[8]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
    rig.assertOpenAt(recovered, torn.base());
    rig.assertServes(recovered, log.values(batch -> batch.base() < torn.base()));
    assertEquals(1, recovered.sealed().size());
    assertEquals(torn.segment(), recovered.active().orElseThrow().baseOffset());
    assertEquals(torn.position(), recovered.active().orElseThrow().bytes());
    assertEquals(middle.length - torn.position() + third.length, recovered.cutBytes());
    assertEquals(2, rig.quarantined().size());
    assertArrayEquals(
        Arrays.copyOfRange(middle, torn.position(), middle.length), rig.quarantined().get(0));
    assertArrayEquals(third, rig.quarantined().get(1));
    assertEquals(2, rig.image().size(), () -> rig.directory + " holds more than two segments");
  }

  @Test
  void theIndexOfACutSegmentHoldsNothingThatWasCut() throws IOException {
    log.fill(40);
    Batch torn = log.batch(30);
    rig.flip(log.lastFile(), torn.end() - 1, 0);
    RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
    SegmentIndexes indexes = recovered.active().orElseThrow().indexes();
    int last = indexes.offsets().count() - 1;
    assertTrue(indexes.offsets().offset(last) < torn.base());
    assertEquals(log.batch(29).base(), lastBatchOf(indexes));
    assertEquals(crcOf(log.batch(29)), recovered.lastMarkerCrc());
  }

  @Test
  void anotherStartAfterACutFindsNothingToDo() throws IOException {
    log.fill(6);
    rig.truncate(log.lastFile(), log.batch(-1).end() - 5);
    RecoveredLog first = rig.unclean(log.checkpoint(0));
    RecoveredLog second = rig.unclean(log.checkpoint(0));
    assertEquals(0, second.cutBytes());
    assertEquals(first.end(), second.end());
    assertEquals(1, rig.quarantined().size());
  }

  @Test
  void quarantineIsBoundedAndSaysSo() throws IOException {
    log.fill(6);
    byte[] whole = Files.readAllBytes(log.lastFile());
    Batch torn = log.batch(-2);
    rig.quarantineBytes = 100;
    rig.flip(log.lastFile(), torn.position() + 20, 0);
    whole[torn.position() + 20] ^= 1;
    RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
    rig.assertOpenAt(recovered, torn.base());
    assertArrayEquals(
        Arrays.copyOfRange(whole, torn.position(), torn.position() + 100),
        rig.quarantined().getFirst());
    assertTrue(rig.strangers.getFirst().contains("100 bytes"), rig.strangers::toString);

    log.end = torn.base();
    rig.overwrite(log.lastFile(), torn.position(), new byte[] {1, 2, 3});
    rig.unclean(log.checkpoint(torn.base()));
    assertEquals(1, rig.quarantined().size());
  }

  @Test
  void aBatchInAnOlderEpochThanTheOneBeforeIsStale() throws IOException {
    log.epoch = 3;
    log.fill(4);
    log.epoch = 2;
    log.fill(2);
    Batch stale = log.batch(4);
    log.epoch = 3;
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    rig.assertOpenAt(recovered, stale.base());
    rig.assertServes(recovered, log.values(batch -> batch.base() < stale.base()));
    assertEquals(4, recovered.epoch());
  }

  @Test
  void aBatchBelowTheCheckpointsEpochIsStaleFromItsOpenOffsetOn() throws IOException {
    log.fill(6);
    Batch stale = log.batch(4);
    CheckpointEntry known =
        new CheckpointEntry(WrittenLog.ID, 2, 0, stale.base(), stale.base(), stale.base(), 0, 0);
    RecoveredLog recovered = rig.unclean(known);
    rig.assertOpenAt(recovered, stale.base());
    rig.assertServes(recovered, log.values(batch -> batch.base() < stale.base()));
    assertEquals(3, recovered.epoch());
  }

  @Test
  void aStaleBatchIsNoWitnessOfDurability() throws IOException {
    log.fill(3);
    log.durable = log.end;
    log.append("says that all before was durable");
    Batch torn = log.batch(2);
    rig.flip(log.lastFile(), torn.end() - 1, 0);
    CheckpointEntry known =
        new CheckpointEntry(WrittenLog.ID, 2, 0, torn.base(), torn.next(), torn.base(), 0, 0);
    RecoveredLog recovered = rig.unclean(known);
    rig.assertOpenAt(recovered, torn.base());
    rig.assertServes(recovered, log.values(batch -> batch.base() < torn.base()));
  }

  @Test
  void aBatchOfAnotherPartitionIsNotTaken() throws IOException {
    log.fill(3);
    log.id = new PartitionId(WrittenLog.ID.topicId(), 4);
    Batch stray = log.append("strayed in");
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    rig.assertOpenAt(recovered, stray.base());
    rig.assertServes(recovered, log.values(batch -> batch.base() < stray.base()));
  }

  @Test
  void aRepeatedBatchIsNotTakenTwice() throws IOException {
    log.fill(3);
    byte[] whole = Files.readAllBytes(log.lastFile());
    Batch last = log.batch(-1);
    Files.write(
        log.lastFile(),
        Arrays.copyOfRange(whole, last.position(), last.end()),
        StandardOpenOption.APPEND);
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    rig.assertOpenAt(recovered, log.end);
    rig.assertServes(recovered, log.values(batch -> true));
    assertArrayEquals(whole, Files.readAllBytes(log.lastFile()));
  }

  @Test
  void withoutACheckpointAllIsReadFromTheFirstSegmentOn() throws IOException {
    log.end = 500;
    Files.delete(log.lastFile());
    log.segments.clear();
    log.roll().fill(3).roll().fill(3);
    rig.truncate(log.lastFile(), log.batch(-1).end() - 1);
    RecoveredLog recovered = rig.unknown();
    rig.assertOpenAt(recovered, log.batch(-1).base());
    assertEquals(500, recovered.start());
    rig.assertServes(recovered, log.values(batch -> batch != log.batch(-1)));
  }

  private void assertQuarantinedOnce(byte[] cut) throws IOException {
    List<byte[]> found = new ArrayList<>(rig.quarantined());
    if (cut.length == 0) {
      assertTrue(found.isEmpty());
      return;
    }
    assertEquals(1, found.size());
    assertArrayEquals(cut, found.getFirst());
    rig.clearQuarantine();
  }

  private static long lastBatchOf(SegmentIndexes indexes) {
    indexes.finishTimes();
    return indexes.times().offset(indexes.times().count() - 1);
  }

  private int crcOf(Batch batch) throws IOException {
    byte[] content = Files.readAllBytes(log.file(batch.segment()));
    return Entry.crc(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN), batch.position());
  }
}
