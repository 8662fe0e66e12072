package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.WrittenLog.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies below the durable offset stays, and what is not damaged is served. */
class RecoveryDamageTest {
  @TempDir Path data;

  private RecoveryRig rig;
  private WrittenLog log;

  @BeforeEach
  void begin() throws IOException {
    rig = new RecoveryRig(data, new UnforcedDisk());
    log = new WrittenLog(data);
  }

  @Test
  void aFlippedBitDamagesItsBatchBelowTheDurableOffsetAndEndsTheLogAbove() throws IOException {
    log.fill(8);
    byte[] whole = Files.readAllBytes(log.lastFile());
    long durable = log.batch(4).base();
    for (int position = 0; position < whole.length; position++) {
      for (int bit : new int[] {position % 8, (position * 3 + 5) % 8}) {
        Files.write(log.lastFile(), whole);
        rig.flip(log.lastFile(), position, bit);
        byte[] flipped = Files.readAllBytes(log.lastFile());
        int at = position;
        Batch hit = log.batches.stream().filter(b -> b.end() > at).findFirst().orElseThrow();
        RecoveredLog recovered = rig.unclean(log.checkpoint(durable));
        if (hit.base() < durable) {
          assertDamaged(recovered, hit);
          assertEquals(log.end, recovered.end());
          assertEquals("", recovered.offline());
          rig.assertServes(recovered, log.values(batch -> batch != hit));
          assertArrayEquals(flipped, Files.readAllBytes(log.lastFile()));
        } else {
          rig.assertOpenAt(recovered, hit.base());
          rig.assertServes(recovered, log.values(batch -> batch.base() < hit.base()));
          assertArrayEquals(
              Arrays.copyOf(whole, hit.position()), Files.readAllBytes(log.lastFile()));
          assertArrayEquals(
              Arrays.copyOfRange(flipped, hit.position(), flipped.length),
              rig.quarantined().getFirst());
          rig.clearQuarantine();
        }
      }
    }
  }

  @Test
  void aListOfDamageThatCannotBeReadIsNamedAndTheLogReadAgain() throws IOException {
    log.fill(8);
    Batch hit = log.batch(2);
    rig.flip(log.lastFile(), hit.position() + 40, 3);
    Files.write(LogFiles.damage(rig.directory), new byte[] {1, 2, 3});
    RecoveredLog recovered = rig.clean(log.checkpoint(log.end));
    assertDamaged(recovered, hit);
    assertEquals(
        List.of(
            data.relativize(LogFiles.damage(rig.directory))
                + " cannot be read as what its name says; the whole log is read to find its damage again"),
        rig.strangers);
    rig.strangers.clear();
    assertDamaged(rig.clean(log.checkpoint(log.end)), hit);
    assertEquals(List.of(), rig.strangers);
  }

  @Test
  void aFlippedBitInTheLastBatchOfADurableLogIsDamage() throws IOException {
    log.fill(5);
    byte[] whole = Files.readAllBytes(log.lastFile());
    Batch last = log.batch(-1);
    for (int position = last.position(); position < whole.length; position++) {
      Files.write(log.lastFile(), whole);
      rig.flip(log.lastFile(), position, position % 8);
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
      assertDamaged(recovered, last);
      assertEquals(log.end, recovered.end());
      assertEquals("", recovered.offline());
      rig.assertServes(recovered, log.values(batch -> batch != last));
    }
  }

  @Test
  void aLaterMarkerWitnessesWhatWasDurable() throws IOException {
    log.fill(4);
    log.durable = log.end;
    log.fill(2);
    Batch hit = log.batch(2);
    for (int position = hit.position(); position < hit.end(); position++) {
      byte[] whole = Files.readAllBytes(log.lastFile());
      rig.flip(log.lastFile(), position, position % 8);
      RecoveredLog recovered = rig.unclean(log.checkpoint(0));
      assertDamaged(recovered, hit);
      rig.assertServes(recovered, log.values(batch -> batch != hit));
      Files.write(log.lastFile(), whole);
    }
  }

  @Test
  void severalDamagedBatchesAreSeveralRanges() throws IOException {
    log.fill(9);
    List<Batch> hit = List.of(log.batch(0), log.batch(1), log.batch(4), log.batch(8));
    for (Batch batch : hit) {
      rig.flip(log.lastFile(), batch.position() + 40, 3);
    }
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertEquals(
        hit.stream().map(Batch::base).toList(),
        recovered.damage().ranges().stream().map(DamageRange::from).toList());
    assertEquals(
        hit.stream().map(Batch::next).toList(),
        recovered.damage().ranges().stream().map(DamageRange::to).toList());
    rig.assertServes(recovered, log.values(batch -> !hit.contains(batch)));
    assertEquals("", recovered.offline());
  }

  @Test
  void aBurstOverSeveralBatchesIsOneRange() throws IOException {
    log.fill(9);
    Batch first = log.batch(2);
    Batch last = log.batch(4);
    rig.overwrite(
        log.lastFile(), first.position() + 5, new byte[last.position() + 30 - first.position()]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    DamageRange range = recovered.damage().ranges().getFirst();
    assertEquals(
        List.of(first.base(), last.next()), List.of(range.from(), range.to()), range::toString);
    assertEquals(first.position(), range.fromPosition());
    assertEquals(last.end(), range.toPosition());
    rig.assertServes(
        recovered, log.values(b -> b.base() < first.base() || b.base() >= last.next()));
  }

  @Test
  void aTornTailBehindDamageIsCutAndTheDamageKept() throws IOException {
    log.fill(9);
    Batch burst = log.batch(2);
    Batch torn = log.batch(-1);
    rig.overwrite(log.lastFile(), burst.position(), new byte[200]);
    rig.truncate(log.lastFile(), torn.end() - 3);
    RecoveredLog recovered = rig.unclean(log.checkpoint(torn.base()));
    assertEquals("", recovered.offline());
    assertEquals(torn.base(), recovered.end());
    assertEquals(torn.position(), recovered.active().orElseThrow().bytes());
    DamageRange range = recovered.damage().ranges().getFirst();
    assertEquals(burst.base(), range.from());
    rig.assertServes(
        recovered,
        log.values(b -> b.base() < burst.base() || (b.base() >= range.to() && b != torn)));
    assertTrue(range.to() < torn.base());
  }

  @Test
  void damageUpToTheEndRefusesAppendsAndNeverLowersTheEnd() throws IOException {
    log.fill(6);
    Batch hit = log.batch(4);
    for (int cut : new int[] {hit.position(), hit.position() + 50, hit.end() - 1, hit.end()}) {
      byte[] whole = Files.readAllBytes(log.lastFile());
      rig.truncate(log.lastFile(), cut);
      RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
      Batch first = cut == hit.end() ? log.batch(5) : hit;
      assertEquals(log.end, recovered.end());
      assertTrue(recovered.readable());
      assertTrue(recovered.offline().contains("until it is repaired"), recovered.offline());
      assertTrue(recovered.offline().contains("offset " + first.base()), recovered.offline());
      assertEquals(
          List.of(first.base(), log.end),
          List.of(
              recovered.damage().ranges().getFirst().from(),
              recovered.damage().ranges().getFirst().to()));
      rig.assertServes(recovered, log.values(batch -> batch.base() < first.base()));
      assertEquals(cut, Files.size(log.lastFile()));
      assertEquals(List.of(), rig.quarantined());
      Files.write(log.lastFile(), whole);
    }
  }

  @Test
  void zerosThatBeginBelowTheDurableOffsetAreKept() throws IOException {
    log.fill(6);
    Batch hit = log.batch(3);
    int size = (int) Files.size(log.lastFile());
    rig.overwrite(log.lastFile(), hit.position(), new byte[size - hit.position()]);
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.end));
    assertFalse(recovered.offline().isEmpty());
    assertEquals(log.end, recovered.end());
    assertEquals(size, Files.size(log.lastFile()));
    rig.assertServes(recovered, log.values(batch -> batch.base() < hit.base()));
  }

  @Test
  void damageInAnEarlierSegmentIsFoundWhereTheCheckpointSaysToLook() throws IOException {
    log.fill(4).roll().fill(4).roll().fill(4);
    Batch hit = log.batch(1);
    rig.flip(log.file(hit.segment()), hit.position() + 100, 1);
    RecoveredLog recovered = rig.unclean(withDurable(hit.base()));
    assertEquals(hit.base(), recovered.end(), "nothing witnesses that it was durable");

    log = again();
    log.fill(4).roll();
    log.durable = log.end;
    log.fill(4).roll().fill(4);
    rig.flip(log.file(hit.segment()), hit.position() + 100, 1);
    recovered = rig.unclean(withDurable(0));
    assertDamaged(recovered, log.batch(1));
    assertEquals(2, recovered.sealed().size());
    rig.assertServes(recovered, log.values(batch -> batch != log.batch(1)));
  }

  @Test
  void knownDamageIsStillKnownAndItsSegmentIsReadAgainAfterACrash() throws IOException {
    log.fill(4).roll().fill(4);
    Batch hit = log.batch(1);
    rig.flip(log.file(hit.segment()), hit.position() + 100, 1);
    log.writeIndexes();
    assertDamaged(rig.unclean(withDurable(log.batch(3).base())), hit);

    RecoveredLog second = rig.unclean(withDurable(log.end));
    assertDamaged(second, hit);
    long both = Files.size(log.file(hit.segment())) + Files.size(log.lastFile());
    assertEquals(both, second.scannedBytes());
    assertDamaged(rig.clean(log.cleanCheckpoint()), hit);
    assertEquals(List.of(hit.base() + "…" + hit.next()), rig.damaged.stream().distinct().toList());
  }

  @Test
  void aDamagedListOfDamageMakesTheWholeLogBeReadAgain() throws IOException {
    log.fill(4).roll().fill(4);
    Batch hit = log.batch(1);
    rig.flip(log.file(hit.segment()), hit.position() + 100, 1);
    assertDamaged(rig.unclean(withDurable(log.batch(3).base())), hit);
    Path list = LogFiles.damage(log.directory);
    byte[] whole = Files.readAllBytes(list);
    for (int at = 0; at < whole.length; at++) {
      rig.flip(list, at, at % 8);
      assertDamaged(rig.unclean(withDurable(log.end)), hit);
      assertArrayEquals(whole, Files.readAllBytes(list));
    }
  }

  @Test
  void theListOfDamageGoesWithTheDamage() throws IOException {
    log.fill(4).roll().fill(4);
    byte[] whole = Files.readAllBytes(log.lastFile());
    Batch hit = log.batch(5);
    rig.flip(log.lastFile(), hit.position() + 100, 1);
    assertDamaged(rig.unclean(withDurable(log.end)), hit);
    Files.write(log.lastFile(), whole);
    rig.assertOpenAt(rig.unclean(withDurable(log.end)), log.end);
    assertFalse(Files.exists(LogFiles.damage(log.directory)));
  }

  private CheckpointEntry withDurable(long durable) {
    return log.checkpoint(durable);
  }

  private WrittenLog again() throws IOException {
    for (String name : rig.disk.list(log.directory)) {
      rig.disk.delete(log.directory.resolve(name));
    }
    return new WrittenLog(data);
  }

  private void assertDamaged(RecoveredLog recovered, Batch batch) {
    assertEquals(
        List.of(
            List.of(
                batch.base(),
                batch.next(),
                batch.segment(),
                (long) batch.position(),
                (long) batch.end())),
        recovered.damage().ranges().stream()
            .map(
                r ->
                    List.of(
                        r.from(),
                        r.to(),
                        r.segmentBase(),
                        (long) r.fromPosition(),
                        (long) r.toPosition()))
            .toList());
  }
}
