package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.partition.PartitionStore;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sealed segment's index is broken while nobody looks; reads are right and it is rebuilt. */
class BrokenIndexTest {
  @TempDir Path data;
  LogBench bench;
  Path offsets;
  Path times;
  byte[] goodOffsets;
  byte[] goodTimes;

  @BeforeEach
  void writeTwoSegments() throws IOException {
    bench = new LogBench(data);
    PartitionStore store = bench.open();
    for (int i = 0; i < 30; i++) {
      bench.millis += 10;
      bench.append(store, 300, 100);
    }
    bench.restart(store);
    assertFalse(bench.bases().size() < 2);
    offsets = LogFiles.offsetIndex(bench.partition(), 0);
    times = LogFiles.timeIndex(bench.partition(), 0);
    goodOffsets = Files.readAllBytes(offsets);
    goodTimes = Files.readAllBytes(times);
  }

  private interface Damage {
    void to(ByteBuffer file);
  }

  private static byte[] changed(byte[] file, Damage damage) {
    byte[] copy = file.clone();
    damage.to(ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN));
    return copy;
  }

  /** Everything is read, also from the middle; then the files are what they were. */
  private void assertRebuilt() throws IOException {
    PartitionStore store = bench.open();
    assertEquals(9000, LogBench.readAll(store, 0, 3000).size());
    for (long offset = 0; offset < 9000; offset += 501) {
      assertEquals(9000 - offset, LogBench.readAll(store, offset, 50_000).size());
    }
    assertEquals(0, store.offsetForTime(0, 9000).offset());
    assertEquals(600, store.offsetForTime(1_000_030, 9000).offset());
    assertArrayEquals(goodOffsets, Files.readAllBytes(offsets));
    assertArrayEquals(goodTimes, Files.readAllBytes(times));
  }

  @Test
  void missing() throws IOException {
    Files.delete(offsets);

    assertRebuilt();
  }

  @Test
  void missingTimes() throws IOException {
    Files.delete(times);

    assertRebuilt();
  }

  @Test
  void unreadable() throws IOException {
    bench.disk.fault = at(offsets, "open", new IOException("Input/output error"));

    assertRebuilt();
  }

  @Test
  void unreadableTimes() throws IOException {
    bench.disk.fault = at(times, "open", new AccessDeniedException(times.toString()));

    assertRebuilt();
  }

  @Test
  void unreadableIsReplaced() throws IOException {
    Files.write(times, new byte[0]);
    bench.disk.readFault = at(times, "read", new IOException("Input/output error"));

    assertRebuilt();
  }

  @Test
  void unreadableAndNotToBeReplaced() throws IOException {
    WatchedDisk.Fault unreadable = at(offsets, "open", new IOException("Input/output error"));
    WatchedDisk.Fault fixed = at(offsets, "delete", new IOException("Operation not permitted"));
    bench.disk.fault =
        (action, path) -> {
          unreadable.before(action, path);
          fixed.before(action, path);
        };

    assertRebuilt();
  }

  /** Without descriptors nothing can be read, and the index may be as good as ever. */
  @Test
  void ofAProcessWithoutDescriptorsItIsNotMadeAnew() throws IOException {
    PartitionStore store = bench.open();
    bench.disk.events.clear();
    bench.disk.fault =
        at(offsets, "open", new OpenFileLimitException("none left", new IOException()));

    assertThrows(OpenFileLimitException.class, () -> LogBench.readAll(store, 0, 3000));
    assertFalse(bench.disk.events.contains("delete " + offsets.getFileName()));
    bench.disk.fault = (action, path) -> {};
    assertEquals(9000, LogBench.readAll(store, 0, 3000).size());
  }

  private static WatchedDisk.Fault at(Path file, String action, IOException failure) {
    return (doing, path) -> {
      if (path.equals(file) && doing.equals(action)) {
        throw failure;
      }
    };
  }

  @Test
  @Timeout(30)
  void aPipeInItsPlace() throws IOException, InterruptedException {
    PartitionStore store = bench.open();
    Files.delete(offsets);
    assertEquals(0, new ProcessBuilder("mkfifo", offsets.toString()).start().waitFor());

    assertEquals(9000 - 501, LogBench.readAll(store, 501, 50_000).size());
    assertArrayEquals(goodOffsets, Files.readAllBytes(offsets));
  }

  @Test
  void emptied() throws IOException {
    Files.write(offsets, new byte[0]);

    assertRebuilt();
  }

  @Test
  void shortByHalf() throws IOException {
    Files.write(offsets, Arrays.copyOf(goodOffsets, goodOffsets.length / 16 * 8));

    assertRebuilt();
  }

  @Test
  void shortByOnePair() throws IOException {
    Files.write(offsets, Arrays.copyOf(goodOffsets, goodOffsets.length - 8));

    assertRebuilt();
  }

  @Test
  void cutInsideAPair() throws IOException {
    Files.write(offsets, Arrays.copyOf(goodOffsets, goodOffsets.length - 3));

    assertRebuilt();
  }

  @Test
  void timesWithoutTheLastBatch() throws IOException {
    Files.write(times, Arrays.copyOf(goodTimes, goodTimes.length - 24));

    assertRebuilt();
  }

  @Test
  void zerosInTheMiddle() throws IOException {
    Files.write(offsets, changed(goodOffsets, file -> file.putLong(80, 0)));

    assertRebuilt();
  }

  @Test
  void notRising() throws IOException {
    Files.write(offsets, changed(goodOffsets, file -> file.putInt(84, file.getInt(76))));

    assertRebuilt();
  }

  @Test
  void aPositionBeyondTheSegment() throws IOException {
    Files.write(
        offsets,
        changed(goodOffsets, file -> file.putInt(goodOffsets.length - 4, Integer.MAX_VALUE)));

    assertRebuilt();
  }

  @Test
  void aPairInTheMiddleThatPointsIntoARecord() throws IOException {
    Files.write(offsets, changed(goodOffsets, file -> file.putInt(84, file.getInt(84) + 1)));

    assertRebuilt();
  }

  @Test
  void aPairInTheMiddleThatPointsAtTheNextRecord() throws IOException {
    Files.write(offsets, changed(goodOffsets, file -> file.putInt(84, file.getInt(84) + 128)));

    assertRebuilt();
  }

  @Test
  void ofAnotherSegment() throws IOException {
    Files.copy(
        LogFiles.offsetIndex(bench.partition(), bench.bases().get(1)),
        offsets,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    assertRebuilt();
  }

  @Test
  void timesThatNameNoBatch() throws IOException {
    Files.write(times, changed(goodTimes, file -> file.putInt(36, file.getInt(36) + 1)));

    assertRebuilt();
  }

  @Test
  void aRunningMaximumThatIsALittleLower() throws IOException {
    Files.write(times, changed(goodTimes, file -> file.putLong(20, file.getLong(20) - 5)));

    assertRebuilt();
  }
}
