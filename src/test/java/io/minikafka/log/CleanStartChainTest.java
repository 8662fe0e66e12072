package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After a clean end a start reads little; but what somebody did to the files meanwhile is damage.
 */
class CleanStartChainTest {
  private static final PartitionId OTHER = new PartitionId(LogBench.ID.topicId(), 1);

  @TempDir Path data;
  private LogBench bench;

  /** Of each log that was opened: bytes scanned, damaged ranges. */
  private final List<List<Long>> recoveries = new ArrayList<>();

  @BeforeEach
  void twoLogsOfFiveSegmentsEach() throws IOException {
    bench = new LogBench(data);
    bench.observer =
        new EngineObserver() {
          @Override
          public void onRecovered(
              PartitionId partition, long end, long scanned, long cut, int damaged) {
            recoveries.add(List.of(scanned, (long) damaged));
          }
        };
    for (PartitionId id : List.of(LogBench.ID, OTHER)) {
      bench.writeAs = id;
      PartitionStore store = bench.directory.open(id, LogBench.segments(2000));
      for (int i = 0; i < 5; i++) {
        bench.append(store, 10, 100);
      }
      store.close();
    }
    bench.writeAs = LogBench.ID;
    reopen();
    recoveries.clear();
  }

  private void reopen() throws IOException {
    bench.directory.close();
    bench.directory = bench.openDirectory();
  }

  private PartitionStore open() throws IOException {
    return bench.open(LogBench.segments(2000));
  }

  private Path file(PartitionId id, long base) {
    return LogFiles.log(LogFiles.partition(data, id), base);
  }

  private void assertDamaged(long from, long to) throws IOException {
    PartitionStore store = open();
    assertEquals(1, recoveries.getLast().getLast(), "damaged ranges");
    assertEquals("", store.snapshot().offline());
    assertEquals(new ReadResult.Damaged(from, to), store.read(from, 1 << 20, true, 50));
    assertEquals(50 - to, LogBench.readAll(store, to, 1 << 20).size());
    assertTrue(store.read(0, 1, true, 50) instanceof ReadResult.Entries);
    bench.append(store, 1, 10);
    assertEquals(51, store.snapshot().end());
    store.close();
    reopen();

    recoveries.clear();
    PartitionStore again = open();
    assertEquals(List.of(List.of(0L, 1L)), recoveries, "it is remembered, not found again");
    assertEquals(new ReadResult.Damaged(from, to), again.read(from, 1 << 20, true, 50));
  }

  @Test
  void untouchedFilesAreNotScanned() throws IOException {
    bench.disk.bytesRead.set(0);
    open();
    assertEquals(List.of(List.of(0L, 0L)), recoveries);
    assertTrue(bench.disk.bytesRead.get() < 5 * 2000, bench.disk.bytesRead + " bytes");
  }

  @Test
  void ofALargeSegmentOnlyTheFirstAndTheLastEntriesAreRead() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 80; i++) {
      bench.append(store, 100, 300);
    }
    assertTrue(bench.bases().size() >= 7, bench.bases().toString());
    store.close();
    reopen();
    bench.disk.bytesRead.set(0);
    recoveries.clear();
    bench.open();
    assertEquals(List.of(List.of(0L, 0L)), recoveries);
    // Indexes, one stretch of each segment, and the last batch of the log.
    long read = bench.disk.bytesRead.get();
    assertTrue(read < bench.bytesOnDisk() / 8, read + " bytes");
  }

  @Test
  void segmentsThatChangedPlacesBetweenPartitionsAreDamage() throws IOException {
    Path aside = data.resolve("aside");
    Files.move(file(LogBench.ID, 20), aside);
    Files.move(file(OTHER, 20), file(LogBench.ID, 20));
    Files.move(aside, file(OTHER, 20));
    assertDamaged(20, 30);
  }

  @Test
  void segmentsThatChangedPlacesInAPartitionAreDamage() throws IOException {
    Files.copy(file(LogBench.ID, 10), file(LogBench.ID, 20), StandardCopyOption.REPLACE_EXISTING);
    assertDamaged(20, 30);
  }

  @Test
  void aSegmentOfAnotherPartitionIsDamageAlsoWithoutItsIndex() throws IOException {
    Files.copy(file(OTHER, 0), file(LogBench.ID, 0), StandardCopyOption.REPLACE_EXISTING);
    Files.delete(LogFiles.offsetIndex(bench.partition(), 0));
    PartitionStore store = open();
    assertEquals(1, recoveries.getLast().getLast());
    assertEquals(new ReadResult.Damaged(0, 10), store.read(0, 1 << 20, true, 50));
    assertEquals(40, LogBench.readAll(store, 10, 1 << 20).size());
  }

  @Test
  void aMissingMiddleSegmentIsDamage() throws IOException {
    Path aside = data.resolve("aside");
    Files.move(file(LogBench.ID, 20), aside);
    assertDamaged(20, 30);
  }

  @Test
  void aMiddleSegmentThatIsBackIsServedAgain() throws IOException {
    Path aside = data.resolve("aside");
    Files.move(file(LogBench.ID, 20), aside);
    open().close();
    reopen();
    Files.move(aside, file(LogBench.ID, 20));
    PartitionStore store = open();
    assertEquals(0, recoveries.getLast().getLast());
    assertEquals(50, LogBench.readAll(store, 0, 1 << 20).size());
  }

  @Test
  void aMiddleSegmentThatWasCutIsDamage() throws IOException {
    try (RandomAccessFile cut = new RandomAccessFile(file(LogBench.ID, 20).toFile(), "rw")) {
      cut.setLength(cut.length() - 1);
    }
    assertDamaged(20, 30);
  }

  @Test
  void anEmptyMiddleSegmentIsDamage() throws IOException {
    Files.write(file(LogBench.ID, 20), new byte[0]);
    assertDamaged(20, 30);
  }
}
