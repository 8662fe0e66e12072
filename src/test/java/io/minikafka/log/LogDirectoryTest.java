package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.record.Crc32c;
import io.minikafka.storage.AlreadyLockedException;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.ForceFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoryTest {
  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  @Test
  void twoBrokersCannotShareADirectory() {
    assertThrows(AlreadyLockedException.class, bench::openDirectory);
  }

  @Test
  void aLogIsOpenOnlyOnce() throws IOException {
    PartitionStore store = bench.open();

    assertThrows(IllegalStateException.class, bench::open);

    store.close();
    bench.open().close();
  }

  @Test
  void aCleanEndIsNotScanned() throws IOException {
    List<Long> scanned = new ArrayList<>();
    bench.observer =
        new EngineObserver() {
          @Override
          public void onRecovered(
              PartitionId partition, long end, long scannedBytes, long cutBytes, int damaged) {
            scanned.add(scannedBytes);
          }
        };
    PartitionStore store = bench.open();
    bench.append(store, 10, 100);
    bench.restart(store);
    PartitionStore again = bench.open();
    bench.append(again, 10, 100);
    again.flush();
    // The process dies: no close, only the lock is gone.
    bench.directory.close();
    bench.directory = bench.openDirectory();

    bench.open();

    assertEquals(0L, scanned.get(0));
    assertTrue(scanned.get(1) > 0);
  }

  @Test
  void aCheckpointOfANewerVersionIsRefusedAndNothingIsTouched() throws IOException {
    Path newer = data.resolve("newer");
    Files.createDirectory(newer);
    ByteBuffer checkpoint = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    checkpoint.putInt(Checkpoint.MAGIC).putShort((short) 7).putShort((short) 0).putLong(1);
    checkpoint.putInt(0).putInt(Crc32c.of(checkpoint, 0, 20));
    Files.write(LogFiles.checkpoint(newer), checkpoint.array());

    NewerVersionException refused =
        assertThrows(NewerVersionException.class, () -> new LogBench(newer));

    assertEquals(
        "%s has version 7, this broker knows version 1".formatted(LogFiles.checkpoint(newer)),
        refused.getMessage());
    assertEquals(List.of("checkpoint", "lock"), bench.disk.list(newer));
    assertArrayEquals(checkpoint.array(), Files.readAllBytes(LogFiles.checkpoint(newer)));
  }

  @Test
  void anEndWithoutRoomForItsMarkSaysSoAndTheNextStartRecovers() throws IOException {
    List<String> told = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            told.add(new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(CleanEnd.class.getName());
    logger.addHandler(handler);
    PartitionStore store = bench.open();
    bench.append(store, "a", "b");
    store.close();
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("write") && path.endsWith("checkpoint.tmp")) {
            throw new DiskFullException("No space left on device");
          }
        };
    try {
      assertThrows(DiskFullException.class, () -> bench.directory.close());
    } finally {
      logger.removeHandler(handler);
    }
    assertEquals(
        List.of(
            "the end of %s is not marked clean (No space left on device); the next start reads the ends of all logs"
                .formatted(data)),
        told);
    bench.disk.fault = (action, path) -> {};
    bench.directory = bench.openDirectory();
    assertEquals(List.of("a", "b"), LogBench.readAll(bench.open(), 0, 1000));
  }

  @Test
  void aCheckpointWhoseNameCannotBeForcedForWantOfRoomIsAFailedForce() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.flush();
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force") && path.equals(data)) {
            throw new DiskFullException("No space left on device");
          }
        };

    assertThrows(ForceFailedException.class, () -> store.trimTo(1));

    assertTrue(store.snapshot().isOffline());
  }

  @Test
  void theCleanMarkIsTakenAwayBeforeAnythingIsWritten() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.close();
    bench.directory.close();
    assertTrue(checkpoint().clean());

    bench.directory = bench.openDirectory();

    assertFalse(checkpoint().clean());
    assertEquals(1, checkpoint().entries().size());
  }

  @Test
  void stoppedBeforeEveryLogWasRecoveredIsNoCleanEnd() throws IOException {
    PartitionId other = new PartitionId(LogBench.ID.topicId(), 1);
    bench.append(bench.open(), "a");
    bench.append(bench.directory.open(other, LogBench.storeSettings()), "b");
    bench.directory.close(); // The process dies.
    bench.directory = bench.openDirectory();
    bench.open().close();
    bench.directory.close();
    assertFalse(checkpoint().clean());

    bench.directory = bench.openDirectory();
    bench.open().close();
    bench.directory.open(other, LogBench.storeSettings()).close();
    bench.directory.close();
    assertTrue(checkpoint().clean());
  }

  /** What a clean end promised still holds for a log that was not even opened. */
  @Test
  void stoppedBeforeEveryLogWasOpenedIsCleanAgainAfterACleanEnd() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.restart(store);
    bench.directory.close();

    assertTrue(checkpoint().clean());
  }

  private Checkpoint checkpoint() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(LogFiles.checkpoint(data)));
    return ((Checkpoint.Decoded.Valid) Checkpoint.decode(bytes)).checkpoint();
  }

  @Test
  void aCheckpointFollowsWithinASecondAndThenThereIsRest() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a", "b");
    store.flush();

    bench.advanceMs(1000);

    CheckpointEntry entry = checkpoint().entries().getFirst();
    assertEquals(2, entry.durable());
    assertEquals(2, entry.end());
    assertEquals(Files.size(bench.logFile(0)), entry.endPosition());
    long number = checkpoint().number();
    bench.advanceMs(25_000);
    assertEquals(number, checkpoint().number());
  }

  @Test
  void nothingIsAppendedInAnEpochThatACrashCouldForget() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.restart(store);
    PartitionStore again = bench.open();
    assertTrue(again.appendMayBlock(10));
    int epoch = again.snapshot().epoch();

    bench.append(again, "b");

    assertEquals(epoch, checkpoint().entries().getFirst().logEpoch());
    assertEquals(1, checkpoint().entries().getFirst().openOffset());
    assertFalse(again.appendMayBlock(10));
  }

  @Test
  void oneCheckpointServesAllLogsThatWereOpenedTogether() throws IOException {
    List<PartitionId> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(new PartitionId(new UUID(1, 1), i));
    }
    for (PartitionId id : ids) {
      PartitionStore store = bench.directory.open(id, LogBench.storeSettings());
      bench.writeAs = id;
      bench.append(store, "a");
      store.close();
    }
    bench.directory.close();
    bench.directory = bench.openDirectory();
    List<PartitionStore> stores = new ArrayList<>();
    for (PartitionId id : ids) {
      stores.add(bench.directory.open(id, LogBench.storeSettings()));
    }
    long number = checkpoint().number();

    for (int i = 0; i < ids.size(); i++) {
      bench.writeAs = ids.get(i);
      bench.append(stores.get(i), "b");
    }

    assertEquals(number + 1, checkpoint().number());
  }

  @Test
  void aLogThatIsNotOpenKeepsItsEntry() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.flush();
    bench.restart(store);

    PartitionStore other =
        bench.directory.open(new PartitionId(new UUID(1, 1), 0), LogBench.storeSettings());
    bench.append(other, "x");
    other.flush();
    bench.advanceMs(1000);

    assertEquals(2, checkpoint().entries().size());
  }

  @Test
  void onAFullDiskRetentionStillMakesRoom() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(4096));
    for (int i = 0; i < 30; i++) {
      bench.append(store, 5, 100);
    }
    store.flush();
    assertTrue(Files.size(LogFiles.reserve(data)) >= 65_536);
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("write") && Files.exists(LogFiles.reserve(data))) {
            throw new DiskFullException("No space left on device");
          }
        };

    store.trimTo(100);

    assertEquals(100, store.snapshot().start());
    assertFalse(Files.exists(LogFiles.reserve(data)));
    bench.disk.fault = (action, path) -> {};
    bench.append(store, "a");
    store.flush();
    bench.advanceMs(1000);
    assertTrue(Files.exists(LogFiles.reserve(data)));
  }

  @Test
  void theLimitOfDescriptorsIsNamed() {
    assertTrue(bench.directory.limitError(884).isEmpty());
    String error = bench.directory.limitError(885).orElseThrow();
    assertTrue(error.contains("885") && error.contains("1000") && error.contains("ulimit"), error);
  }

  @Test
  void aWrittenPartitionHoldsOneDescriptor() throws IOException {
    for (int i = 0; i < 10; i++) {
      PartitionStore store =
          bench.directory.open(new PartitionId(new UUID(1, 1), i), LogBench.segments(4096));
      bench.append(store, 20, 100);
      store.flush();
    }

    assertEquals(10 + 1, bench.disk.openFiles.get(), "besides the reserve");
  }

  @Test
  void aDeletedTopicIsGoneAndAReaderKeepsItsBytes() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a", "b");
    store.flush();
    Entries slow = (Entries) store.read(0, 1000, true, 2);
    store.close();

    bench.directory.deleteTopic(LogBench.ID.topicId());

    assertFalse(Files.exists(LogFiles.topic(data, LogBench.ID.topicId())));
    assertTrue(LogBench.bytes(slow).remaining() > 0);
    assertEquals(1, bench.disk.openFiles.get(), "the reserve");
    bench.directory.deleteTopic(LogBench.ID.topicId());
    bench.advanceMs(1000);
    assertEquals(List.of(), checkpoint().entries());
  }

  @Test
  void aTopicWithOpenLogsIsNotDeleted() throws IOException {
    bench.open();

    assertThrows(
        IllegalStateException.class, () -> bench.directory.deleteTopic(LogBench.ID.topicId()));
  }

  @Test
  void aClosedLogTakesNoAppends() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.close();

    assertThrows(IOException.class, () -> bench.append(store, "b"));
    store.close();
  }

  @Test
  void closingMakesEverythingDurable() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.disk.events.clear();

    store.close();

    assertEquals(1, store.snapshot().durable());
    assertEquals(List.of("force 0", "force 00000000000000000000.log"), bench.disk.events);
  }
}
