package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.WrittenLog.Batch;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Crc32c;
import io.minikafka.record.Entry;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What recovery cannot judge it does not touch. */
class RecoveryOfflineTest {
  @TempDir Path data;

  private UnforcedDisk disk;
  private RecoveryRig rig;
  private WrittenLog log;

  @BeforeEach
  void begin() throws IOException {
    disk = new UnforcedDisk();
    rig = new RecoveryRig(data, disk);
    log = new WrittenLog(data);
  }

  @Test
  void aMarkerOfANewerVersionTakesThePartitionOfflineAndNothingIsTouched() throws IOException {
    log.fill(3).roll().fill(3);
    for (Batch batch : log.batches) {
      byte[] whole = Files.readAllBytes(log.file(batch.segment()));
      makeNewer(whole, batch.position());
      byte[] before = Files.readAllBytes(log.file(batch.segment()));
      Files.write(log.file(batch.segment()), whole);
      rig.truncate(log.lastFile(), Files.size(log.lastFile()) - 1);
      TreeMap<String, List<Byte>> image = rig.image();
      RecoveredLog recovered = rig.unclean(log.checkpoint(0));
      boolean isTorn = batch == log.batch(-1);
      assertFalse(recovered.readable());
      assertTrue(recovered.offline().contains("version 2"), recovered.offline());
      assertEquals(image, rig.image(), isTorn ? "even its torn tail" : "");
      assertEquals(log.checkpoint(0).end(), recovered.end());
      Files.write(log.file(batch.segment()), before);
      if (batch.segment() != log.segments.getLast()) {
        Files.write(log.lastFile(), wholeLast());
      }
    }
    assertEquals(log.batches.size(), rig.offline.size());
  }

  @Test
  void aReadErrorTakesThePartitionOfflineAndNothingIsTouched() throws IOException {
    log.fill(3).roll().fill(3);
    rig.truncate(log.lastFile(), Files.size(log.lastFile()) - 1);
    TreeMap<String, List<Byte>> image = rig.image();
    disk.fault =
        (action, path) -> {
          if (action.equals("read") && path.equals(log.lastFile())) {
            throw new IOException("Input/output error");
          }
        };
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    assertFalse(recovered.readable());
    assertTrue(recovered.offline().contains("Input/output error"), recovered.offline());
    assertEquals(image, rig.image());

    disk.fault = (action, path) -> {};
    rig.assertOpenAt(rig.unclean(log.checkpoint(0)), log.batch(-1).base());
  }

  @Test
  void aReadErrorInAnIndexCostsOnlyTheIndex() throws IOException {
    log.fill(30).writeIndexes();
    disk.fault =
        (action, path) -> {
          if (action.equals("read") && path.toString().endsWith("index")) {
            throw new IOException("Input/output error");
          }
        };
    rig.assertOpenAt(rig.clean(log.cleanCheckpoint()), log.end);
  }

  @Test
  void aFailedForceIsFinalForThePartition() throws IOException {
    log.fill(3);
    disk.fault =
        (action, path) -> {
          if (action.equals("force")) {
            throw new IOException("Input/output error");
          }
        };
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    assertFalse(recovered.readable());
    assertTrue(recovered.offline().contains("Input/output error"), recovered.offline());
  }

  @Test
  void wantOfDescriptorsOrRoomIsNotThePartitionsFault() throws IOException {
    log.fill(3);
    disk.fault =
        (action, path) -> {
          if (action.equals("read")) {
            throw new OpenFileLimitException("too many", new IOException());
          }
        };
    assertThrows(OpenFileLimitException.class, () -> rig.unclean(log.checkpoint(0)));
    rig.flip(log.lastFile(), 20, 0);
    disk.fault =
        (action, path) -> {
          if (action.equals("create")) {
            throw new DiskFullException("no room");
          }
        };
    assertThrows(DiskFullException.class, () -> rig.unclean(log.checkpoint(log.end)));
    disk.fault = (action, path) -> {};
    assertEquals(1, rig.unclean(log.checkpoint(log.end)).damage().count());
  }

  @Test
  void withoutRoomForItsCopyATornTailIsCutAllTheSame() throws IOException {
    log.fill(3);
    rig.truncate(log.lastFile(), Files.size(log.lastFile()) - 1);
    disk.fault =
        (action, path) -> {
          if (action.equals("write") && path.toString().contains("quarantine")) {
            throw new DiskFullException("no room");
          }
        };
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    rig.assertOpenAt(recovered, log.batch(-1).base());
    assertTrue(rig.strangers.getFirst().contains("the disk is full"), rig.strangers::toString);
    assertEquals(List.of(), rig.quarantined());
  }

  @Test
  void aListOfDamageOfANewerVersionIsNotOverwritten() throws IOException {
    log.fill(3);
    ByteBuffer newer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    newer.putInt(DamageFile.MAGIC).putShort((short) 3).putShort((short) 0).putInt(0);
    newer.putInt(Crc32c.of(newer, 0, 12));
    Files.write(LogFiles.damage(log.directory), newer.array());
    TreeMap<String, List<Byte>> image = rig.image();
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    assertFalse(recovered.readable());
    assertTrue(recovered.offline().contains("version 3"), recovered.offline());
    assertEquals(image, rig.image());
  }

  @Test
  void aFileTooLargeForASegmentIsNotTouched() throws IOException {
    log.fill(3).roll();
    rig.truncate(log.lastFile(), 1L << 31);
    RecoveredLog recovered = rig.unclean(log.checkpoint(0));
    assertFalse(recovered.readable());
    assertTrue(recovered.offline().contains("2147483648 bytes"), recovered.offline());
    assertEquals(1L << 31, Files.size(log.lastFile()));
  }

  private byte[] wholeLast() {
    int bytes = log.batch(-1).end();
    byte[] whole = new byte[bytes];
    for (Batch batch : log.batches) {
      if (batch.segment() == log.segments.getLast()) {
        System.arraycopy(batch.written(), 0, whole, batch.position(), batch.bytes());
      }
    }
    return whole;
  }

  private static void makeNewer(byte[] segment, int markerAt) {
    ByteBuffer out = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
    out.putShort(markerAt + BatchMarker.VERSION_AT, (short) 2);
    Entry.stampChecksum(out, markerAt);
  }
}
