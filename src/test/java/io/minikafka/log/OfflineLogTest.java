package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.OfflineLog.Step;
import io.minikafka.log.WrittenLog.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineLogTest {
  @TempDir Path data;

  @Test
  void everythingIsNamedAndNothingChanged() throws IOException {
    RecoveryRig rig = new RecoveryRig(data, new UnforcedDisk());
    WrittenLog log = new WrittenLog(data);
    log.fill(3).roll().fill(3).roll().fill(3).roll().fill(2);
    Batch flipped = log.batch(1);
    Batch torn = log.batch(-1);
    rig.flip(log.file(0), flipped.end() - 1, 2);
    Files.delete(log.file(log.segments.get(1)));
    rig.truncate(log.lastFile(), torn.end() - 1);
    TreeMap<String, List<Byte>> before = rig.image();

    List<String> steps = new ArrayList<>();
    OfflineLog.walk(rig.disk, data, WrittenLog.ID, step -> steps.add(text(step)));

    List<String> expected = new ArrayList<>();
    for (Batch batch : log.batches) {
      boolean bad = batch == flipped || batch == torn;
      if (batch.segment() != log.segments.get(1)) {
        expected.add((bad ? "bad " : "good ") + batch.base() + "…" + batch.next());
      } else if (batch == log.batch(3)) {
        expected.add("bad " + log.segments.get(1) + "…" + log.segments.get(2));
      }
    }
    assertEquals(expected, steps);
    assertEquals(before, rig.image());
  }

  @Test
  void aWholeSwapStandsForTheSegmentsInItsRangeAndABrokenOneDoesNot() throws IOException {
    RecoveryRig rig = new RecoveryRig(data, new UnforcedDisk());
    WrittenLog log = new WrittenLog(data);
    log.fill(3).roll().fill(3).roll().fill(2);
    long from = log.segments.get(1);
    long to = log.segments.get(2);
    ByteBuffer gap = ByteBuffer.allocate(GapEntry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    GapEntry.writeLost(gap, 0, from, (int) (to - from));
    Path swap = LogFiles.swap(log.directory, new OffsetRange(from, to));
    Files.write(swap, gap.array());

    assertTrue(steps(rig).contains("gap " + from));
    assertEquals(6, steps(rig).size());
    gap.put(GapEntry.BYTES - 1, (byte) 9);
    Files.write(swap, gap.array());
    assertFalse(steps(rig).contains("gap " + from));
    assertEquals(8, steps(rig).size());
    TreeMap<String, List<Byte>> before = rig.image();
    steps(rig);
    assertEquals(before, rig.image());
  }

  private List<String> steps(RecoveryRig rig) throws IOException {
    List<String> steps = new ArrayList<>();
    OfflineLog.walk(rig.disk, data, WrittenLog.ID, step -> steps.add(text(step)));
    return steps;
  }

  private static String text(Step step) {
    return switch (step) {
      case Step.Batch b ->
          "good " + b.marker().baseOffset() + "…" + (b.marker().baseOffset() + b.marker().span());
      case Step.Gap gap -> "gap " + gap.offset();
      case Step.Bad bad -> "bad " + bad.from() + "…" + bad.to();
      case Step.NewerVersion newer -> "version " + newer.version();
    };
  }
}
