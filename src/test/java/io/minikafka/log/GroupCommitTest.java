package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {
  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  /** What the listener was told, in order. */
  private static List<String> listenTo(PartitionStore store) {
    List<String> told = new ArrayList<>();
    store.listen(
        new PartitionStore.Listener() {
          @Override
          public void onDurable(long durable) {
            told.add("durable " + durable);
          }

          @Override
          public void onStart(long start) {
            told.add("start " + start);
          }

          @Override
          public void onOffline(String reason) {
            told.add("offline");
          }
        });
    return told;
  }

  @Test
  void appendsThatWaitTogetherShareAForce() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.flush();
    List<String> told = listenTo(store);
    bench.disk.events.clear();
    bench.forcers.hold();

    for (int i = 0; i < 10; i++) {
      bench.append(store, "b");
      store.flush();
    }
    assertEquals(1, bench.forcers.waiting(), "started at once, and once");
    bench.forcers.release();

    assertEquals(List.of("force 00000000000000000000.log"), bench.disk.events);
    assertEquals(List.of("durable 11"), told);
  }

  @Test
  void whatIsWrittenDuringAForceIsNotCoveredByIt() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    store.flush();
    bench.append(store, "b");
    List<String> told = listenTo(store);
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force") && path.toString().endsWith(".log")) {
            bench.disk.fault = (a, p) -> {};
            bench.append(store, "during");
            store.flush();
          }
        };

    store.flush();

    assertEquals(List.of("durable 2", "durable 3"), told);
  }

  @Test
  void theFirstForceOfALogForcesItsDirectoryBeforeTheSegment() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.disk.events.clear();

    store.flush();

    assertEquals(List.of("force 0", "force 00000000000000000000.log"), bench.disk.events);
  }

  @Test
  void afterARollTheOldSegmentComesFirstThenTheDirectoryThenTheNewSegment() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    bench.append(store, 5, 100);
    store.flush();
    bench.append(store, 1, 100);
    bench.append(store, 5, 100);
    bench.disk.events.clear();
    List<Long> durableAtForce = new ArrayList<>();
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force")) {
            durableAtForce.add(store.snapshot().durable());
          }
        };

    store.flush();

    assertEquals(
        List.of("force 00000000000000000000.log", "force 0", "force 00000000000000000006.log"),
        bench.disk.events);
    assertEquals(List.of(5L, 5L, 5L), durableAtForce);
    assertEquals(11, store.snapshot().durable());
  }

  @Test
  void severalLogsAreForcedSideBySideAndEachByOneForcerOnly() throws IOException {
    List<PartitionStore> stores = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      stores.add(
          bench.directory.open(
              new PartitionId(LogBench.ID.topicId(), i), LogBench.storeSettings()));
      bench.append(stores.get(i), "a");
    }
    bench.forcers.hold();

    for (PartitionStore store : stores) {
      store.flush();
      store.flush();
    }

    assertEquals(4, bench.forcers.waiting(), "as many as there are forcers");
    bench.forcers.release();
    for (PartitionStore store : stores) {
      assertEquals(1, store.snapshot().durable());
    }
  }

  @Test
  void aFailedForceIsFinalForTheWholeDataDirectory() throws IOException {
    PartitionStore store = bench.open();
    PartitionStore other =
        bench.directory.open(new PartitionId(LogBench.ID.topicId(), 1), LogBench.storeSettings());
    bench.append(store, "a");
    bench.append(other, "a");
    List<String> told = listenTo(store);
    List<String> toldOther = listenTo(other);
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force") && path.toString().endsWith(".log")) {
            throw new IOException("injected");
          }
        };

    store.flush();

    assertEquals(List.of("offline"), told);
    assertEquals(List.of("offline"), toldOther);
    assertEquals(1, bench.fatal.size());
    assertTrue(bench.fatal.getFirst().contains("injected"));
    assertEquals(0, store.snapshot().durable());
    bench.disk.fault = (action, path) -> {};
    bench.disk.events.clear();
    store.flush();
    other.flush();
    bench.advanceMs(120_000);
    assertEquals(List.of(), bench.disk.events, "nothing is forced or written any more");
    assertThrows(StoreOfflineException.class, () -> bench.append(store, "b"));
    assertEquals(1, ((Entries) other.read(0, 100, true, 1)).nextOffset(), "reads go on");
    store.close();
    other.close();
    bench.directory.close();
    assertEquals(1, bench.fatal.size());
  }

  @Test
  void aFailedForceOfTheDirectoryIsFinalToo() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force") && path.equals(bench.partition())) {
            throw new IOException("injected");
          }
        };

    store.flush();

    assertEquals(1, bench.fatal.size());
    assertTrue(store.snapshot().isOffline());
  }

  /** Its appends would wait for a force that never comes. */
  @Test
  void noLogIsOpenedAfterAFailedForce() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force")) {
            throw new IOException("injected");
          }
        };
    store.flush();
    bench.disk.fault = (action, path) -> {};
    PartitionId other = new PartitionId(LogBench.ID.topicId(), 9);

    assertThrows(IOException.class, () -> bench.directory.open(other, LogBench.storeSettings()));
  }

  @Test
  void theDescriptorInReserveForcesADirectoryWhenThereIsNoOther() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    int open = bench.disk.openFiles.get();
    bench.disk.fault =
        (action, path) -> {
          if (path.equals(bench.partition()) && bench.disk.openFiles.get() >= open) {
            throw new OpenFileLimitException("none left", new IOException());
          }
        };

    store.flush();

    assertEquals(1, store.snapshot().durable());
    assertEquals(open, bench.disk.openFiles.get(), "and is held again");
  }

  @Test
  void withoutAnyDescriptorAForceIsTriedAgain() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("force")) {
            throw new OpenFileLimitException("none left", new IOException());
          }
        };
    store.flush();
    assertEquals(0, store.snapshot().durable());
    bench.disk.fault = (action, path) -> {};

    bench.advanceMs(100);

    assertEquals(1, store.snapshot().durable());
    assertEquals(List.of(), bench.fatal);
  }

  @Test
  void underIntervalBytesAreForcedSoLongAfterTheFirst() throws IOException {
    PartitionStore store = bench.open(LogBench.flush(FlushPolicy.INTERVAL, 500));
    bench.append(store, "a");
    bench.advanceMs(300);
    bench.append(store, "b");
    bench.advanceMs(199);
    assertEquals(0, store.snapshot().durable());

    bench.advanceMs(1);

    assertEquals(2, store.snapshot().durable());
    bench.append(store, "c");
    bench.advanceMs(499);
    assertEquals(2, store.snapshot().durable());
    bench.advanceMs(1);
    assertEquals(3, store.snapshot().durable());
  }

  @Test
  void underNoneBytesAreForcedAfterThirtySeconds() throws IOException {
    PartitionStore store = bench.open(LogBench.flush(FlushPolicy.NONE, 500));
    bench.append(store, "a");
    bench.advanceMs(29_999);
    assertEquals(0, store.snapshot().durable());

    bench.advanceMs(1);

    assertEquals(1, store.snapshot().durable());
  }

  @Test
  void aShorterPolicyDoesNotWaitForTheTimerOfTheLongerOne() throws IOException {
    PartitionStore store = bench.open(LogBench.flush(FlushPolicy.NONE, 500));
    bench.append(store, "a");

    store.configure(LogBench.flush(FlushPolicy.INTERVAL, 500));

    assertEquals(1, store.snapshot().durable());
  }

  @Test
  void unflushedBytesAreBoundedAndReliefIsTold() throws IOException {
    bench.directory.close();
    bench.settings = LogBench.directorySettings(10_000, LogBench.MIB);
    bench.directory = bench.openDirectory();
    PartitionStore store = bench.open(LogBench.flush(FlushPolicy.INTERVAL, 86_400_000));
    bench.forcers.hold();
    bench.append(store, 20, 100);
    assertFalse(store.pressure().exceeded());
    bench.append(store, 80, 100);
    assertTrue(store.pressure().exceeded());
    List<String> relieved = new ArrayList<>();
    store.pressure().whenRelieved(() -> relieved.add("relieved"));
    assertEquals(List.of(), relieved);

    bench.forcers.release();

    assertEquals(List.of("relieved"), relieved, "crossing the bound asks for a force at once");
    assertEquals(0, bench.directory.directoryStats().unflushedBytes());
    assertFalse(store.pressure().exceeded());
  }

  @Test
  void underNoneNothingCountsAgainstTheBound() throws IOException {
    PartitionStore store = bench.open(LogBench.flush(FlushPolicy.NONE, 500));

    bench.append(store, 100, 1000);

    assertEquals(0, bench.directory.directoryStats().unflushedBytes());
    assertFalse(store.pressure().exceeded());
  }
}
