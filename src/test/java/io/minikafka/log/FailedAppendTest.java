package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.ForceFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedAppendTest {
  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  private void failWrites(String suffix, IOException failure) {
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("write") && path.toString().endsWith(suffix)) {
            throw failure;
          }
        };
  }

  private void heal() {
    bench.disk.fault = (action, path) -> {};
  }

  /** As the kernel leaves it when the disk fills up during a write. */
  private void writePartly(Path file, int bytes) {
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("write") && path.equals(file)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
              channel.write(ByteBuffer.allocate(bytes), channel.size());
            }
            throw new DiskFullException("No space left on device");
          }
        };
  }

  @Test
  void aFullDiskRefusesAndALaterAppendSucceeds() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    failWrites(".log", new DiskFullException("No space left on device"));

    assertThrows(NoRoomException.class, () -> bench.append(store, "refused"));

    assertEquals(1, store.snapshot().end());
    heal();
    bench.append(store, "b");
    assertEquals(List.of("a", "b"), LogBench.readAll(store, 0, 100));
    assertEquals("", store.snapshot().offline());
  }

  @Test
  void whatAFailedWriteLeftIsCutAndForcedAndTheEpochRises() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.flush();
    long size = Files.size(bench.logFile(0));
    int epoch = store.snapshot().epoch();
    writePartly(bench.logFile(0), 77);
    bench.disk.events.clear();

    assertThrows(NoRoomException.class, () -> bench.append(store, "refused"));

    assertEquals(size, Files.size(bench.logFile(0)));
    assertEquals(
        List.of("truncate 00000000000000000000.log", "force 00000000000000000000.log"),
        bench.disk.events);
    assertEquals(epoch + 1, store.snapshot().epoch());
    heal();
    assertTrue(store.appendMayBlock(10), "the new epoch must be on disk first");
    bench.disk.events.clear();
    bench.append(store, "b");
    assertTrue(bench.disk.events.contains("rename checkpoint"));
    assertEquals(List.of("a", "b"), LogBench.readAll(store, 0, 100));
  }

  @Test
  void anAppendOverARollIsTakenBackWhole() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    bench.append(store, 3, 100);
    long size = Files.size(bench.logFile(0));
    List<StampedBatch> burst = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      burst.add(bench.batch(store, 3 + i * 3L, 3, 100));
    }
    failWrites("6.log", new IOException("injected"));

    assertThrows(IOException.class, () -> store.append(burst));

    heal();
    assertEquals(3, store.snapshot().end());
    assertEquals(List.of(0L), bench.bases());
    assertEquals(size, Files.size(bench.logFile(0)));
    bench.append(store, 3, 100);
    bench.append(store, 3, 100);
    bench.append(store, 3, 100);
    assertEquals(12, LogBench.readAll(store, 0, 1000).size());
    bench.restart(store);
    assertEquals(12, LogBench.readAll(bench.open(), 0, 1000).size());
  }

  @Test
  void aFirstAppendThatFailsLeavesALogThatWorks() throws IOException {
    PartitionStore store = bench.open();
    failWrites(".log", new DiskFullException("No space left on device"));
    assertThrows(NoRoomException.class, () -> bench.append(store, "refused"));
    heal();

    bench.append(store, "a");

    assertEquals(List.of("a"), LogBench.readAll(store, 0, 100));
  }

  @Test
  void aDirectoryThatCannotBeForcedAtTheFirstAppendIsFinal() throws IOException {
    Path topic = LogFiles.topic(data, LogBench.ID.topicId());
    for (Path failing : List.of(topic, data)) {
      PartitionStore store = bench.open();
      bench.disk.fault =
          (action, path) -> {
            String before = bench.disk.events.isEmpty() ? "" : bench.disk.events.getLast();
            boolean due = failing == topic || before.equals("force " + topic.getFileName());
            if (action.equals("force") && path.equals(failing) && due) {
              throw new DiskFullException("No space left on device");
            }
          };

      // Not for want of room: that would be tried again.
      assertThrows(ForceFailedException.class, () -> bench.append(store, "refused"));

      assertFinal(store);
    }
  }

  @Test
  void aDirectoryThatIsMadeButCannotBeForcedAtTheFirstAppendIsFinal() throws IOException {
    PartitionStore store = bench.open();
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("make")) {
            throw new ForceFailedException("injected", new IOException("injected"));
          }
        };

    assertThrows(ForceFailedException.class, () -> bench.append(store, "refused"));

    assertFinal(store);
  }

  /** Nothing is forced or appended any more in this process; the next one may. */
  private void assertFinal(PartitionStore store) throws IOException {
    heal();
    assertEquals(1, bench.fatal.size());
    bench.disk.events.clear();
    assertThrows(StoreOfflineException.class, () -> bench.append(store, "b"));
    store.close();
    assertEquals(List.of(), bench.disk.events);
    bench.fatal.clear();
    bench.directory.close();
    bench.directory = bench.openDirectory();
  }

  @Test
  void aNewSegmentThatCannotBeMadeRefusesTheAppend() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    bench.append(store, 3, 100);
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("create") || action.equals("rename")) {
            throw new DiskFullException("No space left on device");
          }
        };

    assertThrows(NoRoomException.class, () -> bench.append(store, 5, 100));

    heal();
    assertEquals(3, store.snapshot().end());
    bench.append(store, 5, 100);
    assertEquals(8, LogBench.readAll(store, 0, 1000).size());
  }

  @Test
  void aRepairThatFailsTakesTheLogOffline() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    writePartly(bench.logFile(0), 77);
    WatchedDisk.Fault partly = bench.disk.fault;
    bench.disk.fault =
        (action, path) -> {
          partly.before(action, path);
          if (action.equals("truncate")) {
            throw new IOException("injected");
          }
        };

    assertThrows(NoRoomException.class, () -> bench.append(store, "refused"));

    heal();
    assertTrue(store.snapshot().offline().contains("injected"));
    assertThrows(StoreOfflineException.class, () -> bench.append(store, "b"));
    assertEquals(List.of("a"), LogBench.readAll(store, 0, 100));
    assertEquals(List.of(), bench.fatal);
  }

  @Test
  void aRepairThatCannotBeForcedIsFinal() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    writePartly(bench.logFile(0), 77);
    WatchedDisk.Fault partly = bench.disk.fault;
    bench.disk.fault =
        (action, path) -> {
          partly.before(action, path);
          if (action.equals("force")) {
            throw new IOException("injected");
          }
        };

    assertThrows(NoRoomException.class, () -> bench.append(store, "refused"));

    assertEquals(1, bench.fatal.size());
    assertTrue(store.snapshot().isOffline());
  }
}
