package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.WrittenLog.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process is killed while it recovers; the next recovery comes to the same end. */
class RecoveryCrashTest {
  @TempDir Path data;

  private UnforcedDisk disk;
  private RecoveryRig rig;

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void begin() {
    disk = new UnforcedDisk();
    rig = new RecoveryRig(data, disk);
  }

  @Test
  void atAnyStepOfACutOverSeveralSegments() throws IOException {
    WrittenLog log = new WrittenLog(data);
    log.fill(3).roll().fill(4).roll().fill(3).roll().fill(2).writeIndexes();
    Batch torn = log.batch(5);
    rig.flip(log.file(torn.segment()), torn.end() - 1, 0);
    sameEndWhereverItIsKilled(
        log.checkpoint(torn.base()),
        recovered -> {
          rig.assertOpenAt(recovered, torn.base());
          rig.assertServes(recovered, log.values(batch -> batch.base() < torn.base()));
        });
  }

  @Test
  void atAnyStepOfKeepingDamageAndCuttingATail() throws IOException {
    WrittenLog log = new WrittenLog(data);
    log.fill(3).roll().fill(4).roll().fill(3).writeIndexes();
    Batch hit = log.batch(4);
    Batch torn = log.batch(-1);
    rig.flip(log.file(hit.segment()), hit.end() - 1, 0);
    rig.truncate(log.lastFile(), torn.end() - 1);
    CheckpointEntry known =
        new CheckpointEntry(
            WrittenLog.ID, 1, log.segments.get(1), log.batch(5).base(), 0, torn.base(), 0, 0);
    sameEndWhereverItIsKilled(
        known,
        recovered -> {
          assertEquals(
              List.of(hit.base()),
              recovered.damage().ranges().stream().map(DamageRange::from).toList());
          assertEquals(torn.base(), recovered.end());
          assertEquals("", recovered.offline());
          rig.assertServes(recovered, log.values(b -> b != hit && b != torn && b.segment() != 0));
        });
  }

  private interface Expectation {
    void holds(RecoveredLog recovered) throws IOException;
  }

  private void sameEndWhereverItIsKilled(CheckpointEntry known, Expectation expected)
      throws IOException {
    Map<Path, byte[]> before = everything();
    int steps = 0;
    for (boolean killed = true; killed; steps++) {
      restore(before);
      killed = killAfter(steps, known);
      expected.holds(rig.unclean(known));
      expected.holds(rig.unclean(known));
    }
    assertTrue(steps > 8, "only " + steps + " steps");
  }

  private boolean killAfter(int steps, CheckpointEntry known) throws IOException {
    int[] left = {steps};
    disk.fault =
        (action, path) -> {
          if (!action.equals("read") && left[0]-- == 0) {
            throw new Killed();
          }
        };
    try {
      rig.unclean(known);
      return false;
    } catch (Killed e) {
      return true;
    } finally {
      disk.fault = (action, path) -> {};
    }
  }

  private Map<Path, byte[]> everything() throws IOException {
    Map<Path, byte[]> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(data).filter(Files::isRegularFile)) {
      for (Path file : all.toList()) {
        files.put(file, Files.readAllBytes(file));
      }
    }
    return files;
  }

  private void restore(Map<Path, byte[]> files) throws IOException {
    for (Path file : everything().keySet()) {
      Files.delete(file);
    }
    for (Map.Entry<Path, byte[]> file : new TreeMap<>(files).entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }
}
