package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.WrittenLog.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a clean shutdown nothing is read but the end, and nothing is ever taken for a tail. */
class RecoveryCleanStartTest {
  @TempDir Path data;

  private RecoveryRig rig;
  private WrittenLog log;

  @BeforeEach
  void begin() throws IOException {
    rig = new RecoveryRig(data, new UnforcedDisk());
    log = new WrittenLog(data);
  }

  @Test
  void nothingIsScannedAndNothingChanged() throws IOException {
    log.fill(8).roll().fill(30).writeIndexes();
    TreeMap<String, List<Byte>> before = rig.image();
    RecoveredLog recovered = rig.clean(log.cleanCheckpoint());
    rig.assertOpenAt(recovered, log.end);
    rig.assertServes(recovered, log.values(batch -> true));
    assertEquals(0, recovered.scannedBytes());
    assertEquals(log.appendTime - 1, recovered.lastAppendTime());
    assertEquals(log.cleanCheckpoint().lastMarkerCrc(), recovered.lastMarkerCrc());
    assertEquals(before, rig.image());
    assertSameIndexes(recovered);
  }

  @Test
  void anEmptyActiveSegmentKnowsTheLastAppendTime() throws IOException {
    log.fill(8).roll().writeIndexes();
    RecoveredLog recovered = rig.clean(log.cleanCheckpoint());
    rig.assertOpenAt(recovered, log.end);
    assertEquals(0, recovered.active().orElseThrow().bytes());
    assertEquals(log.appendTime - 1, recovered.lastAppendTime());
    assertEquals(0, recovered.lastMarkerCrc());
  }

  @Test
  void aLastBatchLargerThanTheIndexReachesIsFound() throws IOException {
    log.fill(3);
    String[] values = new String[2000];
    Arrays.fill(values, "one of many records in a batch of which only the front has a marker");
    log.append(values);
    log.writeIndexes();
    RecoveredLog recovered = rig.clean(log.cleanCheckpoint());
    rig.assertOpenAt(recovered, log.end);
    assertEquals(0, recovered.scannedBytes());
  }

  @Test
  void aShorterFileIsDamageNotATail() throws IOException {
    log.fill(8).writeIndexes();
    CheckpointEntry left = log.cleanCheckpoint();
    byte[] whole = Files.readAllBytes(log.lastFile());
    for (int cut = 0; cut < whole.length; cut++) {
      Files.write(log.lastFile(), Arrays.copyOf(whole, cut));
      RecoveredLog recovered = rig.clean(left);
      int at = cut;
      Batch first = log.batches.stream().filter(b -> b.end() > at).findFirst().orElseThrow();
      assertDamaged(recovered, first.base(), log.end);
      assertEquals(log.end, recovered.end());
      assertFalse(recovered.offline().isEmpty());
      rig.assertServes(recovered, log.values(batch -> batch.base() < first.base()));
      assertEquals(cut, Files.size(log.lastFile()));
    }
    assertEquals(List.of(), rig.quarantined());
  }

  @Test
  void bytesBehindTheEndAreDamageNotATail() throws IOException {
    log.fill(8).writeIndexes();
    CheckpointEntry left = log.cleanCheckpoint();
    byte[] whole = Files.readAllBytes(log.lastFile());
    for (int more : new int[] {1, 96, 5000}) {
      byte[] longer = Arrays.copyOf(whole, whole.length + more);
      Arrays.fill(longer, whole.length, longer.length, (byte) (more == 96 ? 0 : 'z'));
      Files.write(log.lastFile(), longer);
      RecoveredLog recovered = rig.clean(left);
      assertEquals(log.end, recovered.end());
      assertTrue(recovered.offline().contains("until it is repaired"), recovered.offline());
      rig.assertServes(recovered, log.values(batch -> true));
      assertArrayEquals(longer, Files.readAllBytes(log.lastFile()));
    }
    assertEquals(List.of(), rig.quarantined());
  }

  @Test
  void wholeBatchesBehindTheEndAreKept() throws IOException {
    log.fill(8).writeIndexes();
    CheckpointEntry left = log.cleanCheckpoint();
    log.fill(2);
    RecoveredLog recovered = rig.clean(left);
    rig.assertOpenAt(recovered, log.end);
    rig.assertServes(recovered, log.values(batch -> true));
  }

  @Test
  void anotherLastBatchIsNoticed() throws IOException {
    log.fill(8).writeIndexes();
    CheckpointEntry left = log.cleanCheckpoint();
    Batch last = log.batch(-1);
    for (int position = last.position(); position < last.end(); position++) {
      rig.flip(log.lastFile(), position, position % 8);
      RecoveredLog recovered = rig.clean(left);
      boolean inMarkerOrHeader = position < last.position() + 96 || recovered.damage().count() > 0;
      if (inMarkerOrHeader) {
        assertDamaged(recovered, last.base(), last.next());
        rig.assertServes(recovered, log.values(batch -> batch != last));
      }
      assertEquals(log.end, recovered.end());
      Files.deleteIfExists(LogFiles.damage(log.directory));
      rig.flip(log.lastFile(), position, position % 8);
    }
  }

  @Test
  void anEndThatIsNotTheCheckpointsIsScanned() throws IOException {
    log.fill(8).writeIndexes();
    CheckpointEntry left = log.cleanCheckpoint();
    CheckpointEntry other =
        new CheckpointEntry(
            left.id(), 1, 0, left.end(), left.end(), left.end(), left.endPosition(), 12345);
    RecoveredLog recovered = rig.clean(other);
    assertEquals(Files.size(log.lastFile()), recovered.scannedBytes());
    rig.assertOpenAt(recovered, log.end);
    rig.assertServes(recovered, log.values(batch -> true));
  }

  @Test
  void indexesThatCannotBeTrustedAreMadeAnew() throws IOException {
    log.fill(60).writeIndexes();
    Path offsets = LogFiles.offsetIndex(log.directory, 0);
    Path times = LogFiles.timeIndex(log.directory, 0);
    byte[] good = Files.readAllBytes(offsets);
    byte[] goodTimes = Files.readAllBytes(times);
    int pairs = good.length / 8;
    assertTrue(pairs > 8);
    List<Bend> bends =
        List.of(
            new Bend("missing", o -> Files.delete(offsets), t -> {}),
            new Bend("times missing", o -> {}, t -> Files.delete(times)),
            new Bend("odd", o -> append(offsets, new byte[3]), t -> {}),
            new Bend("times odd", o -> {}, t -> append(times, new byte[7])),
            new Bend("non-rising", o -> o.putInt(8 * (pairs - 1), o.getInt(0)), t -> {}),
            new Bend("positions fall", o -> o.putInt(4, o.getInt(12) + 1), t -> {}),
            new Bend("beyond the end", o -> o.putInt(8 * pairs - 4, 1 << 30), t -> {}),
            new Bend("offset beyond", o -> o.putInt(8 * pairs - 8, 1 << 30), t -> {}),
            new Bend("negative", o -> o.putInt(0, -1), t -> {}),
            new Bend(
                "last pair points into an entry",
                o -> o.putInt(8 * pairs - 4, o.getInt(8 * pairs - 4) + 1),
                t -> {}),
            new Bend(
                "last pair names another offset",
                o -> o.putInt(8 * pairs - 8, o.getInt(8 * pairs - 8) + 1),
                t -> {}),
            new Bend("zeros", o -> Arrays.fill(o.array(), (byte) 0), t -> {}),
            new Bend("times of another batch", o -> {}, t -> t.putInt(goodTimes.length - 4, 0)),
            new Bend(
                "another append time",
                o -> {},
                t -> t.putLong(goodTimes.length - 12, Long.MAX_VALUE)),
            new Bend("times fall", o -> {}, t -> t.putLong(0, Long.MAX_VALUE)),
            new Bend("a directory", o -> toDirectory(offsets), t -> {}));
    for (Bend bend : bends) {
      bend(offsets, good, bend.offsets);
      bend(times, goodTimes, bend.times);
      RecoveredLog recovered = rig.clean(log.cleanCheckpoint());
      rig.assertOpenAt(recovered, log.end);
      rig.assertServes(recovered, log.values(batch -> true));
      assertEquals(Files.size(log.lastFile()), recovered.scannedBytes(), bend.name);
      assertSameIndexes(recovered);
      if (Files.isDirectory(offsets)) {
        Files.delete(offsets);
      }
    }
  }

  @Test
  void anIndexThatStopsShortIsMadeAnewByAnUncleanStart() throws IOException {
    log.fill(60).roll().fill(5).writeIndexes();
    Path offsets = LogFiles.offsetIndex(log.directory, 0);
    byte[] good = Files.readAllBytes(offsets);
    for (int length = 0; length < good.length; length++) {
      Files.write(offsets, Arrays.copyOf(good, length));
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
      rig.assertOpenAt(recovered, log.end);
      rig.assertServes(recovered, log.values(batch -> true));
    }
  }

  private record Bend(String name, Bending offsets, Bending times) {}

  private interface Bending {
    void bend(ByteBuffer content) throws IOException;
  }

  private static void bend(Path file, byte[] good, Bending bending) throws IOException {
    Files.write(file, good);
    byte[] bent = good.clone();
    bending.bend(ByteBuffer.wrap(bent).order(ByteOrder.LITTLE_ENDIAN));
    if (!Arrays.equals(good, bent)) {
      Files.write(file, bent);
    }
  }

  private static void append(Path file, byte[] more) throws IOException {
    Files.write(file, more, StandardOpenOption.APPEND);
  }

  private static void toDirectory(Path file) throws IOException {
    Files.delete(file);
    Files.createDirectory(file);
  }

  private void assertSameIndexes(RecoveredLog recovered) throws IOException {
    RecoveredLog.Active active = recovered.active().orElseThrow();
    SegmentIndexes expected = log.indexes(active.baseOffset());
    expected.finishTimes();
    active.indexes().finishTimes();
    assertEquals(expected.offsets().encode(), active.indexes().offsets().encode());
    assertEquals(expected.times().encode(), active.indexes().times().encode());
  }

  private static void assertDamaged(RecoveredLog recovered, long from, long to) {
    assertEquals(
        List.of(from + "…" + to),
        recovered.damage().ranges().stream().map(r -> r.from() + "…" + r.to()).toList());
  }
}
