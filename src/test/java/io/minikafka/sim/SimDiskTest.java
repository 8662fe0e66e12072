package io.minikafka.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.sim.SimDisk.Lie;
import io.minikafka.storage.AlreadyLockedException;
import io.minikafka.storage.Disk.Mode;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The simulated disk forgets all that a disk may forget, and nothing else. */
class SimDiskTest {
  private static final Path DIRECTORY = Path.of("/d");
  private static final Path FILE = DIRECTORY.resolve("f");
  private static final Path OTHER = DIRECTORY.resolve("g");
  private static final int SEEDS = 1000;

  private interface Life {
    void live(SimDisk disk) throws IOException;
  }

  @Test
  void forcedBytesUnderAForcedNameSurvive() throws IOException {
    assertEquals(Set.of("f=abc"), outcomes(disk -> stable(disk, FILE, "abc")));
  }

  @Test
  void unforcedWriteIsLostTornOrKeptAndTheFileMayHaveGrownByZeros() throws IOException {
    assertEquals(
        Set.of(
            "f=", "f=a", "f=ab", "f=abc", "f=.b", "f=.bc", "f=..c", "f=a.c", "f=.", "f=..",
            "f=..."),
        outcomes(disk -> write(stable(disk, FILE, ""), "abc", 0)));
  }

  @Test
  void unforcedOverwriteMixesOldAndNew() throws IOException {
    assertEquals(
        Set.of("f=abc", "f=xbc", "f=ayc", "f=abz", "f=xyc", "f=xbz", "f=ayz", "f=xyz"),
        outcomes(disk -> write(stable(disk, FILE, "abc"), "xyz", 0)));
  }

  @Test
  void laterWriteMaySurviveAnEarlierOne() throws IOException {
    assertEquals(
        Set.of("f=", "f=a", "f=ab", "f=.b", "f=.", "f=..", "f=a."),
        outcomes(
            disk -> {
              DiskFile file = stable(disk, FILE, "");
              write(file, "a", 0);
              write(file, "b", 1);
            }));
  }

  @Test
  void unforcedCutIsKeptOrLostAlsoUnderALaterWrite() throws IOException {
    assertEquals(
        Set.of("f=", "f=.", "f=X", "f=Xbcd", "f=abcd"),
        outcomes(
            disk -> {
              DiskFile file = stable(disk, FILE, "abcd");
              file.truncate(0);
              write(file, "X", 0);
            }));
  }

  @Test
  void forcedCutStaysAndItsBytesDoNotShowAgain() throws IOException {
    assertEquals(
        Set.of(
            "f=", "f=.", "f=..", "f=..c", "f=a", "f=ab", "f=.b", "f=a.c", "f=.bc", "f=abc",
            "f=..."),
        outcomes(
            disk -> {
              DiskFile file = stable(disk, FILE, "STALE");
              file.truncate(0);
              file.force();
              write(file, "abc", 0);
            }));
  }

  @Test
  void forcedFileWhoseNameWasNotForcedIsThereOrNot() throws IOException {
    assertEquals(
        Set.of("", "f=abc"),
        outcomes(
            disk -> {
              disk.createDirectories(DIRECTORY);
              write(disk.open(FILE, Mode.CREATE), "abc", 0).force();
            }));
  }

  @Test
  void renameIsOneChangeAndReplacesAsAWhole() throws IOException {
    assertEquals(
        Set.of("f=new g=old", "g=new"),
        outcomes(
            disk -> {
              stable(disk, FILE, "new");
              stable(disk, OTHER, "old");
              disk.rename(FILE, OTHER);
            }));
  }

  @Test
  void namesAreKeptOrLostOneByOneInAnyOrder() throws IOException {
    assertEquals(
        Set.of("", "f=1", "g=2", "f=1 g=2"),
        outcomes(
            disk -> {
              stable(disk, FILE, "1");
              stable(disk, OTHER, "2");
              disk.delete(FILE);
              disk.delete(OTHER);
            }));
  }

  @Test
  void renameBetweenDirectoriesNeverLosesTheFile() throws IOException {
    Path away = Path.of("/e/f");
    Set<String> homes = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimDisk disk = new SimDisk(seed);
      stable(disk, FILE, "1");
      disk.createDirectories(Path.of("/e"));
      disk.rename(FILE, away);
      if (seed % 2 == 0) {
        disk.forceDirectory(DIRECTORY);
      }
      disk.powerLoss();
      homes.add((seed % 2) + " " + disk.exists(FILE) + " " + disk.exists(away));
    }
    assertEquals(Set.of("0 false true", "1 true false", "1 true true", "1 false true"), homes);
  }

  @Test
  void killedProcessLeavesWhatItWrote() throws IOException {
    SimDisk disk = new SimDisk(1);
    DiskFile file = stable(disk, FILE, "");
    write(file, "abc", 0);
    disk.processKill();
    assertEquals("f=abc", content(disk));
    assertThrows(PowerOff.class, () -> write(file, "d", 3));
  }

  @Test
  void killForcesNothing() throws IOException {
    assertEquals(
        Set.of("f=", "f=.", "f=a"),
        outcomes(
            disk -> {
              write(stable(disk, FILE, ""), "a", 0);
              disk.processKill();
            }));
  }

  @Test
  void processEndsBeforeTheOperationThatWasNamed() throws IOException {
    SimDisk disk = new SimDisk(1);
    DiskFile file = stable(disk, FILE, "");
    disk.stopBefore(disk.operations() + 1);
    write(file, "abc", 0);
    assertThrows(PowerOff.class, file::force);
    assertThrows(PowerOff.class, () -> disk.exists(FILE));
  }

  @Test
  void failedForceLosesWhatReadsStillShow() throws IOException {
    assertEquals(
        Set.of("f=", "f=a", "f=."),
        outcomes(
            disk -> {
              DiskFile file = write(stable(disk, FILE, ""), "a", 0);
              disk.failNextForce("f");
              assertThrows(IOException.class, file::force);
              file.force();
              assertEquals("f=a", content(disk));
            }));
  }

  @Test
  void fullDiskTakesAPartAndSaysSo() throws IOException {
    Set<Long> sizes = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimDisk disk = new SimDisk(seed);
      DiskFile file = stable(disk, FILE, "");
      disk.limitFreeBytes(2);
      assertThrows(DiskFullException.class, () -> write(file, "abc", 0));
      sizes.add(file.size());
      file.truncate(0);
      write(file, "ab", 0);
      disk.delete(FILE);
      file.close();
      assertEquals(2, disk.usableBytes(DIRECTORY));
    }
    assertEquals(Set.of(0L, 1L, 2L), sizes);
  }

  @Test
  void unlinkedFileCanBeReadWhileItIsOpen() throws IOException {
    SimDisk disk = new SimDisk(1);
    DiskFile file = stable(disk, FILE, "abc");
    disk.delete(FILE);
    ByteBuffer in = ByteBuffer.allocate(5);
    assertEquals(2, file.read(in, 1));
    assertEquals(3, disk.usedBytes());
    file.close();
    assertEquals(0, disk.usedBytes());
  }

  @Test
  void descriptorsAreBounded() throws IOException {
    SimDisk disk = new SimDisk(1);
    DiskFile file = stable(disk, FILE, "");
    disk.limitOpenFiles(1);
    assertThrows(OpenFileLimitException.class, () -> disk.open(FILE, Mode.READ));
    file.close();
    disk.open(FILE, Mode.READ).close();
    assertEquals(0, disk.openFiles());
  }

  @Test
  void rangeThatCannotBeReadFails() throws IOException {
    SimDisk disk = new SimDisk(1);
    DiskFile file = stable(disk, FILE, "abc");
    disk.failReads("f", 1, 2);
    assertEquals(1, file.read(ByteBuffer.allocate(1), 0));
    assertThrows(IOException.class, () -> file.read(ByteBuffer.allocate(2), 0));
  }

  @Test
  void lockEndsWithItsProcess() throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.lock(Path.of("/lock"));
    assertThrows(AlreadyLockedException.class, () -> disk.lock(Path.of("/lock")));
    disk.processKill();
    disk.lock(Path.of("/lock")).close();
    disk.lock(Path.of("/lock")).close();
  }

  @Test
  void createAndOpenWantWhatTheySay() throws IOException {
    SimDisk disk = new SimDisk(1);
    assertThrows(NoSuchFileException.class, () -> disk.open(FILE, Mode.CREATE));
    stable(disk, FILE, "");
    assertThrows(FileAlreadyExistsException.class, () -> disk.open(FILE, Mode.CREATE));
    assertThrows(NoSuchFileException.class, () -> disk.open(OTHER, Mode.WRITE));
    assertThrows(NoSuchFileException.class, () -> disk.list(FILE));
    assertThrows(IOException.class, () -> disk.delete(DIRECTORY));
  }

  @Test
  void diskThatLiesForgetsWhatWasForced() throws IOException {
    assertEquals(Set.of("", "f=a"), outcomes(disk -> stable(disk, FILE, "a"), Lie.FORCE_DIRECTORY));
  }

  @Test
  void sameSeedForgetsTheSame() throws IOException {
    String first = "";
    for (int i = 0; i < 2; i++) {
      SimDisk disk = new SimDisk(7);
      DiskFile file = stable(disk, FILE, "");
      for (int at = 0; at < 50; at++) {
        write(file, "abcdefg", 7 * at);
      }
      disk.powerLoss();
      first = i == 0 ? content(disk) : first;
      assertEquals(first, content(disk));
    }
  }

  private static Set<String> outcomes(Life life, Lie... lies) throws IOException {
    Set<String> outcomes = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimDisk disk = new SimDisk(seed, lies);
      life.live(disk);
      disk.powerLoss();
      String first = content(disk);
      disk.powerLoss();
      assertEquals(first, content(disk), "what survived one power loss survives the next");
      outcomes.add(first);
    }
    return outcomes;
  }

  private static String content(SimDisk disk) throws IOException {
    if (!disk.exists(DIRECTORY)) {
      return "";
    }
    StringBuilder all = new StringBuilder();
    for (String name : disk.list(DIRECTORY)) {
      String text = new String(disk.bytes(DIRECTORY.resolve(name)), StandardCharsets.UTF_8);
      all.append(all.isEmpty() ? "" : " ").append(name).append('=').append(text.replace('\0', '.'));
    }
    return all.toString();
  }

  private static DiskFile stable(SimDisk disk, Path path, String text) throws IOException {
    Path parent = path.resolveSibling("").normalize();
    disk.createDirectories(parent);
    DiskFile file = disk.open(path, Mode.CREATE);
    write(file, text, 0).force();
    disk.forceDirectory(parent);
    return file;
  }

  private static DiskFile write(DiskFile file, String text, long position) throws IOException {
    if (!text.isEmpty()) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), position);
    }
    return file;
  }
}
