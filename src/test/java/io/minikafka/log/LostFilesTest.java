package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.LogCheck.Finding;
import io.minikafka.partition.PartitionStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verification of a log whose files somebody has taken away while it was open. */
class LostFilesTest {
  @TempDir Path data;

  private RepairRig rig;
  private PartitionStore store;

  @BeforeEach
  void write() throws IOException {
    rig = new RepairRig(data);
    store = rig.written();
  }

  private Finding.Unreadable onlyFinding() throws IOException {
    List<Finding> found = RepairRig.verified(store);
    assertEquals(1, found.size(), found::toString);
    return assertInstanceOf(Finding.Unreadable.class, found.getFirst());
  }

  @Test
  void sealedSegmentWithoutItsFileIsFoundThoughItIsOpenStill() throws IOException {
    RepairRig.served(store);
    Files.delete(rig.bench.logFile(10));

    Finding.Unreadable finding = onlyFinding();

    assertEquals(10, finding.segmentBase());
    assertTrue(finding.what().contains("gone"), finding::what);
  }

  @Test
  void activeSegmentWithoutItsFileIsFound() throws IOException {
    Files.delete(rig.bench.logFile(30));

    assertEquals(30, onlyFinding().segmentBase());
  }

  @Test
  void activeSegmentThatWasCutToNothingIsFound() throws IOException {
    try (FileChannel file = FileChannel.open(rig.bench.logFile(30), StandardOpenOption.WRITE)) {
      file.truncate(0);
    }

    Finding.Unreadable finding = onlyFinding();

    assertEquals(30, finding.segmentBase());
    assertTrue(finding.what().contains("ends at 0"), finding::what);
  }

  @Test
  void logThatHasAllItsFilesIsWell() throws IOException {
    assertEquals(List.of(), RepairRig.verified(store));
  }
}
