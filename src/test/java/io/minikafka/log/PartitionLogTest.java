package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  @Test
  void aPartitionNeverWrittenCostsNothingOnDisk() throws IOException {
    bench.open();

    assertFalse(Files.exists(LogFiles.topic(data, LogBench.ID.topicId())));
  }

  @Test
  void whatWasAppendedIsReadBackInOrder() throws IOException {
    PartitionStore store = bench.open();

    bench.append(store, "a", "b");
    bench.append(store, "c");

    assertEquals(List.of("a", "b", "c"), LogBench.readAll(store, 0, 1000));
    assertEquals(3, store.snapshot().end());
    assertEquals(0, store.snapshot().durable());
  }

  @Test
  void aFlushMakesEverythingDurable() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");

    store.flush();

    assertEquals(1, store.snapshot().durable());
  }

  @Test
  void aCleanRestartFindsEverything() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 1000, 1000);
    bench.append(store, 1000, 1000);
    bench.restart(store);

    PartitionStore again = bench.open();

    assertEquals(2000, LogBench.readAll(again, 0, 100_000).size());
    assertEquals(2000, again.snapshot().durable());
    assertTrue(again.snapshot().epoch() > 1);
  }

  @Test
  void anOffsetOutsideIsAnsweredWithBothEnds() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");

    assertEquals(new ReadResult.OutOfRange(0, 1), store.read(2, 100, true, 2));
  }

  @Test
  void aBatchThatDoesNotFollowTheEndIsRefused() throws IOException {
    PartitionStore store = bench.open();

    assertThrows(
        IllegalArgumentException.class, () -> store.append(List.of(bench.batch(store, 1, "a"))));
  }
}
