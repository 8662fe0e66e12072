package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.sim.SimDisk;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReserveTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FILE = LogFiles.reserve(DATA);

  private final SimDisk disk = new SimDisk(1);
  private final Reserve reserve;

  ReserveTest() throws IOException {
    disk.createDirectories(DATA);
    reserve = new Reserve(disk, FILE);
  }

  @Test
  void noAppendTakesTheBytesThatAreGivenUpForSomethingElse() throws Exception {
    reserve.keep(1 << 16);
    AtomicBoolean appended = new AtomicBoolean();
    Thread appender =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  long stamp = reserve.beginAppend();
                  appended.set(true);
                  reserve.endAppend(stamp);
                });
    List<Boolean> seen = new ArrayList<>();

    reserve.runMakingRoom(
        () -> {
          if (disk.exists(FILE)) {
            throw new DiskFullException("No space left on device");
          }
          appender.start();
          while (appender.getState() != Thread.State.WAITING && appender.isAlive()) {
            Thread.onSpinWait();
          }
          seen.add(appended.get());
        });
    appender.join();

    assertEquals(List.of(false), seen);
    assertTrue(appended.get(), "afterwards it goes on");
    assertEquals(1 << 16, disk.size(FILE));
  }

  @Test
  void whereThereIsNoRoomForAllOfItThereIsLessUntilThereIs() throws IOException {
    disk.limitFreeBytes(100 << 10);

    reserve.keep(1 << 20);
    long less = disk.size(FILE);
    assertTrue(less > 64 << 10 && less <= 100 << 10, less + " bytes");

    disk.limitFreeBytes(Long.MAX_VALUE);
    reserve.keep(1 << 20);
    assertEquals(1 << 20, disk.size(FILE));
  }

  @Test
  void withoutAnyRoomThereIsNone() throws IOException {
    disk.limitFreeBytes(0);

    reserve.keep(1 << 20);

    assertFalse(disk.exists(FILE));
  }

  @Test
  void itGrowsWithWhatItIsKeptFor() throws IOException {
    reserve.keep(1 << 16);

    reserve.keep(1 << 17);

    assertEquals(1 << 17, disk.size(FILE));
  }
}
