package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each leftover of a swap means to the next start. */
class SegmentSwapTest {
  @TempDir Path data;
  KeyedLog log;

  /** Files before the compaction, and the log they hold. */
  Map<String, byte[]> before = new TreeMap<>();

  TreeMap<Long, String> left = new TreeMap<>();
  OffsetRange range = new OffsetRange(0, 1);
  byte[] compacted = new byte[0];

  @BeforeEach
  void compactOnce() throws IOException {
    log = new KeyedLog(data, KeyedLog.compacting(4096));
    log.bench.worker.hold();
    log.configure(KeyedLog.compacting(300));
    log.append("a=1", "b=1").append("a=2").append("c=1").append("b=2", "a=3").append("d=1");
    log.configure(KeyedLog.compacting(4096));
    log.seal();
    log.bench.disk.list(log.bench.partition());
    for (String name : log.names()) {
      before.put(name, Files.readAllBytes(log.bench.partition().resolve(name)));
    }
    List<Long> bases = log.bench.bases();
    assertTrue(bases.size() >= 4, () -> "segments: " + bases);
    log.bench.worker.release();
    left = log.read();
    List<Long> now = log.bench.bases();
    assertEquals(0, now.getFirst());
    range = new OffsetRange(0, now.get(1));
    assertTrue(bases.indexOf(now.get(1)) >= 2, "some were joined");
    compacted = Files.readAllBytes(log.bench.logFile(0));
    log.store.close();
    log.bench.directory.close();
  }

  /** Puts the files as they were before. */
  private void rewind() throws IOException {
    for (String name : log.names()) {
      Files.delete(log.bench.partition().resolve(name));
    }
    for (Map.Entry<String, byte[]> file : before.entrySet()) {
      Files.write(log.bench.partition().resolve(file.getKey()), file.getValue());
    }
  }

  private TreeMap<Long, String> start() throws IOException {
    log.bench.disk.delete(LogFiles.checkpoint(data));
    log.bench.disk.delete(LogFiles.previousCheckpoint(data));
    log.bench.directory = log.bench.openDirectory();
    log.bench.worker.hold();
    log.store = log.bench.open(KeyedLog.compacting(4096));
    assertEquals("", log.store.snapshot().offline());
    assertFalse(log.names().stream().anyMatch(SegmentSwap::isLeftover), () -> "a leftover");
    return log.read();
  }

  @Test
  void aCompactedSegmentWithoutItsSecondNameGoes() throws IOException {
    rewind();
    Files.write(LogFiles.cleaned(log.bench.partition(), 0), compacted);

    assertEquals(log.written, start());
  }

  @Test
  void halfOfACompactedSegmentGoes() throws IOException {
    rewind();
    byte[] half = java.util.Arrays.copyOf(compacted, compacted.length / 2);
    Files.write(LogFiles.cleaned(log.bench.partition(), 0), half);

    assertEquals(log.written, start());
  }

  @Test
  void oneWithItsSecondNameIsTheLogWhateverOriginalsAreLeft() throws IOException {
    List<String> originals = new ArrayList<>();
    for (String name : before.keySet()) {
      long base =
          Long.parseLong(
              name.substring(0, Math.min(20, name.indexOf('.'))).replaceAll("[^0-9]", "9"));
      if (name.startsWith("0") && range.holds(base)) {
        originals.add(name);
      }
    }
    for (int kept = 0; kept < 1 << originals.size(); kept++) {
      rewind();
      for (int i = 0; i < originals.size(); i++) {
        if ((kept & 1 << i) == 0) {
          Files.delete(log.bench.partition().resolve(originals.get(i)));
        }
      }
      Files.write(LogFiles.swap(log.bench.partition(), range), compacted);

      assertEquals(left, start(), "kept: " + kept);
      log.store.close();
      log.bench.directory.close();
    }
  }

  @Test
  void aDirectoryWithALeftoversNameIsSetAside() throws IOException {
    rewind();
    Files.createDirectories(LogFiles.cleaned(log.bench.partition(), 0).resolve("x"));
    Files.createDirectories(LogFiles.swap(log.bench.partition(), range).resolve("x"));

    assertEquals(log.written, start());
    assertEquals(2, log.bench.disk.list(LogFiles.setAside(data)).size());
  }

  @Test
  void namesThatAreNoSwapsAreStrangers() {
    assertTrue(LogFiles.swapRange("00000000000000000005-00000000000000000009.swap").isPresent());
    for (String name :
        List.of(
            "00000000000000000009-00000000000000000009.swap",
            "0000000000000000005-00000000000000000009.swap",
            "00000000000000000005-00000000000000000009.swap.tmp",
            "00000000000000000005.swap",
            "-.swap",
            "99999999999999999999-99999999999999999999.swap")) {
      assertTrue(LogFiles.swapRange(name).isEmpty(), name);
      assertFalse(SegmentSwap.isLeftover(name), name);
    }
  }
}
