package io.minikafka.log;

import static io.minikafka.log.RepairRig.RECORDS;
import static io.minikafka.log.RepairRig.offsets;
import static io.minikafka.log.RepairRig.refused;
import static io.minikafka.log.RepairRig.repaired;
import static io.minikafka.log.RepairRig.served;
import static io.minikafka.log.RepairRig.verified;
import static io.minikafka.log.RepairRig.without;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult.Reason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that get another end: the one they had was refused, or they are cut. */
class RepairEndTest {
  @TempDir Path data;
  private RepairRig rig;

  @BeforeEach
  void begin() throws IOException {
    rig = new RepairRig(data);
  }

  @AfterEach
  void end() throws IOException {
    rig.bench.close();
  }

  private PartitionStore withRefusedEnd() throws IOException {
    PartitionStore store = rig.written();
    rig.bench.restart(store);
    try (RandomAccessFile file = new RandomAccessFile(rig.bench.logFile(30).toFile(), "rw")) {
      file.setLength(file.length() - 1);
    }
    PartitionStore refused = rig.open();
    assertTrue(refused.snapshot().isOffline());
    return refused;
  }

  @Test
  void aRefusedEndIsCutAndTheLogGoesOnThereInANewEpoch() throws IOException {
    PartitionStore store = withRefusedEnd();
    int epoch = store.snapshot().epoch();
    Repair done = repaired(store, RepairAction.CUT, 37);
    assertEquals(35, done.end());
    assertEquals(35, done.lostFrom());
    assertEquals(40, done.lostTo());
    assertEquals("", store.snapshot().offline());
    assertEquals(35, store.snapshot().end());
    assertEquals(35, store.snapshot().durable());
    assertTrue(store.snapshot().epoch() > epoch);
    assertEquals(offsets(0, 35), served(store));
    rig.bench.append(store, RECORDS, 100);
    store.flush();
    assertEquals(offsets(0, 40), served(store));
    store = rig.reopened(store);
    assertEquals("", store.snapshot().offline());
    assertEquals(List.of(), store.damage());
    assertEquals(offsets(0, 40), served(store));
  }

  @Test
  void aRefusedEndIsSkippedAndTheLogGoesOnBehindIt() throws IOException {
    PartitionStore store = withRefusedEnd();
    Repair done = repaired(store, RepairAction.SKIP, 35);
    assertEquals(40, done.end());
    assertEquals(without(35, 40, 40), served(store));
    rig.bench.append(store, RECORDS, 100);
    store.flush();
    store = rig.reopened(store);
    assertEquals("", store.snapshot().offline());
    assertEquals(without(35, 40, 45), served(store));
  }

  @Test
  void bytesBehindARefusedEndGoAndNoOffsetIsLost() throws IOException {
    PartitionStore store = rig.written();
    rig.bench.restart(store);
    Files.write(rig.bench.logFile(30), new byte[777], StandardOpenOption.APPEND);
    store = rig.open();
    assertTrue(store.snapshot().isOffline());
    assertEquals(Reason.NOT_DAMAGED, refused(store, RepairAction.CUT, 39).reason());
    Repair done = repaired(store, RepairAction.CUT, 40);
    assertEquals(0, done.lostOffsets());
    assertEquals(777, done.bytesSetAside());
    assertEquals(offsets(0, 40), served(store));
    store = rig.reopened(store);
    assertEquals("", store.snapshot().offline());
    assertEquals(offsets(0, 40), served(store));
  }

  @Test
  void aLogOfWhichAllFilesAreGoneBeginsAgain() throws IOException {
    for (RepairAction action : RepairAction.values()) {
      PartitionStore store = rig.written();
      rig.bench.restart(store);
      for (String name : rig.bench.disk.list(rig.bench.partition())) {
        Files.delete(rig.bench.partition().resolve(name));
      }
      store = rig.open();
      repaired(store, action, 20);
      long end = action == RepairAction.CUT ? 0 : 40;
      assertEquals(end, store.snapshot().end());
      rig.bench.append(store, RECORDS, 100);
      store.flush();
      store = rig.reopened(store);
      assertEquals(offsets(end, end + 5), served(store));
      store.close();
      rig.bench.directory.deleteTopic(LogBench.ID.topicId());
      rig.bench.directory.close();
      rig.bench.directory = rig.bench.openDirectory();
    }
  }

  @Test
  void aLogThatIsServedIsCutInTheMiddle() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    rig.flip(10);
    verified(store);
    Repair done = repaired(store, RepairAction.CUT, 19);
    assertEquals(15, done.end());
    assertEquals(List.of(20L, 30L), bases(done.removed()));
    assertEquals(3, done.copies().size());
    assertEquals(offsets(0, 15), served(store));
    rig.bench.append(store, RECORDS, 100);
    store.flush();
    assertEquals(offsets(0, 20), served(rig.reopened(store)));
  }

  private static List<Long> bases(List<String> names) {
    return names.stream()
        .map(name -> LogFiles.baseOffset(name, LogFiles.LOG).orElseThrow())
        .toList();
  }

  @Test
  void whatIsBeingSentStaysReadableWhileItsSegmentIsRepaired() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    rig.flip(10);
    var taken = (ReadResult.Entries) store.read(20, 1 << 20, true, 40);
    var before = (ReadResult.Entries) store.read(10, 100, true, 40);
    verified(store);
    repaired(store, RepairAction.CUT, 15);
    assertEquals(20, count(taken));
    assertEquals(1, count(before));
    assertEquals(0, rig.bench.directory.directoryStats().pinnedBytes());
  }

  private static int count(ReadResult.Entries entries) throws IOException {
    var reader = new io.minikafka.record.RecordReader(LogBench.bytes(entries), 0);
    int count = 0;
    while (reader.next() != null) {
      count++;
    }
    return count;
  }

  @Test
  void aClosedLogIsNotRepaired() throws IOException {
    PartitionStore store = withRefusedEnd();
    store.close();
    assertEquals(Reason.CLOSED, refused(store, RepairAction.CUT, 37).reason());
    assertEquals(Reason.CLOSED, refused(store, RepairAction.SKIP, 37).reason());
  }

  @Test
  void theSecondOfTwoRepairsFindsNothingToDo() throws IOException {
    PartitionStore store = withRefusedEnd();
    repaired(store, RepairAction.SKIP, 37);
    assertEquals(Reason.NOT_DAMAGED, refused(store, RepairAction.SKIP, 37).reason());
    assertEquals(Reason.NOT_DAMAGED, refused(store, RepairAction.CUT, 37).reason());
  }
}
