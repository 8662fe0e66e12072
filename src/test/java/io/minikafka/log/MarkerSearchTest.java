package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.log.WrittenLog.Batch;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records whose values are whole batches: with the right partition, the right epoch, offsets that
 * are still to come. Nobody can make these by accident; recovery must not take them even so.
 */
class MarkerSearchTest {
  @TempDir Path data;

  private RecoveryRig rig;
  private WrittenLog log;

  @BeforeEach
  void begin() throws IOException {
    rig = new RecoveryRig(data, new UnforcedDisk());
    log = new WrittenLog(data);
  }

  @Test
  void aBatchInsideAWholeRecordIsNotTakenWhenTheMarkerBeforeItIsDamaged() throws IOException {
    log.fill(2);
    Batch host = appendWithForgery(1, 0);
    log.fill(3);
    for (int position = host.position(); position < host.position() + 96; position++) {
      rig.flip(log.lastFile(), position, position % 8);
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
      assertDamaged(recovered, host.base(), host.next());
      rig.assertServes(recovered, log.values(batch -> batch != host));
      rig.flip(log.lastFile(), position, position % 8);
    }
  }

  @Test
  void aBatchInsideADamagedRecordIsNotTaken() throws IOException {
    log.fill(2);
    Batch host = appendWithForgery(1, 500);
    log.fill(3);
    // Marker and first record are gone up to the forgery, which stays whole.
    rig.overwrite(log.lastFile(), host.position(), new byte[96 + Entry.BODY + 200]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertDamaged(recovered, host.base(), host.next());
    rig.assertServes(recovered, log.values(batch -> batch != host));
    assertEquals(log.end, recovered.end());
    assertEquals("", recovered.offline());
  }

  @Test
  void aBatchInsideADamagedRecordIsNotTakenBeforeATornTailEither() throws IOException {
    log.fill(2);
    Batch host = appendWithForgery(1, 500);
    log.fill(3);
    Batch torn = log.batch(-1);
    rig.overwrite(log.lastFile(), host.position(), new byte[96 + Entry.BODY + 200]);
    rig.truncate(log.lastFile(), torn.end() - 1);
    RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
    assertDamaged(recovered, host.base(), host.next());
    assertEquals(torn.base(), recovered.end());
    assertEquals("", recovered.offline());
    rig.assertServes(recovered, log.values(batch -> batch != host && batch != torn));
  }

  @Test
  void aBatchInsideATornTailIsCutWithIt() throws IOException {
    log.fill(4);
    long end = log.end;
    Batch host = appendWithForgery(1, 500);
    byte[] whole = Files.readAllBytes(log.lastFile());
    for (int cut = host.position() + 1; cut < whole.length; cut += 7) {
      Files.write(log.lastFile(), Arrays.copyOf(whole, cut));
      rig.overwrite(log.lastFile(), host.position(), new byte[1]);
      rig.flip(log.lastFile(), host.position(), 7);
      RecoveredLog recovered = rig.unclean(log.checkpoint(end));
      rig.assertOpenAt(recovered, end);
      rig.assertServes(recovered, log.values(batch -> batch != host));
      rig.clearQuarantine();
    }
  }

  @Test
  void anEarlierBatchInsideARecordIsNeverTaken() throws IOException {
    log.fill(3);
    Batch copied = log.batch(1);
    BatchBuilder builder = new BatchBuilder(256);
    builder.append(log.appendTime, null, padded(copied.written(), 300), List.of());
    Batch host = log.append(builder, List.of("not looked at"));
    log.fill(2);
    rig.overwrite(log.lastFile(), host.position(), new byte[96 + Entry.BODY + 100]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertDamaged(recovered, host.base(), host.next());
    rig.assertServes(recovered, log.values(batch -> batch != host));
  }

  @Test
  void manyForgeriesSideBySideDoNotHideTheLog() throws IOException {
    log.fill(2);
    int count = 2000;
    int reach = 150_000;
    byte[] value = new byte[count * BatchMarker.BYTES + 2 * reach];
    Arrays.fill(value, (byte) 'v');
    ByteBuffer out = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      long offset = log.end + 1 + i;
      new BatchMarker(
              offset, 1, 0, (short) -1, -1, -1, reach, 1, 0, log.epoch, offset, 1, 0, hash())
          .write(out, i * BatchMarker.BYTES);
    }
    BatchBuilder builder = new BatchBuilder(1024);
    for (int i = 0; i <= count; i++) {
      builder.append(log.appendTime, null, i == 0 ? value : new byte[0], List.of());
    }
    Batch host = log.append(builder, List.of());
    log.fill(3);
    rig.overwrite(log.lastFile(), host.position(), new byte[96 + Entry.BODY]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertDamaged(recovered, host.base(), host.next());
    assertEquals("", recovered.offline());
  }

  @Test
  void aMarkerAtEveryDistanceIsFound() throws IOException {
    for (int length : LongStream.rangeClosed(1, 70).mapToInt(i -> (int) i * 3).toArray()) {
      for (String name : rig.disk.list(log.directory)) {
        rig.disk.delete(log.directory.resolve(name));
      }
      log = new WrittenLog(data);
      log.fill(1);
      Batch hit = log.append("x".repeat(length));
      log.fill(2);
      rig.overwrite(log.lastFile(), hit.position(), new byte[hit.bytes()]);
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
      assertDamaged(recovered, hit.base(), hit.next());
    }
  }

  @Test
  void aMarkerBeyondTheFirstWindowIsFound() throws IOException {
    log.fill(1);
    Batch first = log.append("a".repeat(1_500_000), "b".repeat(700_000));
    Batch second = log.append("c".repeat(3_000_000));
    log.fill(2);
    rig.overwrite(log.lastFile(), first.position(), new byte[first.bytes() + 200]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertDamaged(recovered, first.base(), second.next());
    rig.assertServes(recovered, log.values(batch -> batch != first && batch != second));
  }

  /**
   * A batch of two records; the value of the first holds whole batches that claim the second
   * record's offset, and that everything is durable.
   */
  private Batch appendWithForgery(int count, int before) throws IOException {
    WrittenLog forger = new WrittenLog(Files.createTempDirectory(data, "forger"));
    forger.epoch = log.epoch;
    forger.end = log.end + 1;
    forger.durable = Long.MAX_VALUE;
    BatchBuilder forged = new BatchBuilder(256);
    forged.append(1, "k".getBytes(StandardCharsets.UTF_8), new byte[40], List.of());
    byte[] one = forger.stamped(forged);
    byte[] value = new byte[before + count * (one.length + 1) + 50];
    Arrays.fill(value, (byte) 'v');
    for (int i = 0; i < count; i++) {
      System.arraycopy(one, 0, value, before + i * (one.length + 1), one.length);
    }
    BatchBuilder host = new BatchBuilder(1024);
    host.append(log.appendTime, null, value, List.of());
    host.append(log.appendTime, null, "second".getBytes(StandardCharsets.UTF_8), List.of());
    return log.append(host, List.of("not looked at", "nor this"));
  }

  private static long hash() {
    return PartitionHash.of(WrittenLog.ID);
  }

  private static byte[] padded(byte[] bytes, int by) {
    byte[] padded = new byte[bytes.length + 2 * by];
    System.arraycopy(bytes, 0, padded, by, bytes.length);
    Arrays.fill(padded, by + bytes.length, padded.length, (byte) 'p');
    return padded;
  }

  private static void assertDamaged(RecoveredLog recovered, long from, long to) {
    assertEquals(
        List.of(from + "…" + to),
        recovered.damage().ranges().stream().map(r -> r.from() + "…" + r.to()).toList());
  }
}
