package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process, killed with SIGKILL before each disk operation of a compaction. */
class CompactionKillIT {
  @TempDir Path dir;

  private final List<String> stops = new ArrayList<>();

  @Test
  void aKillAtEveryStepOfACompactionLosesNothing() throws Exception {
    int step = 0;
    while (killBefore(step, dir.resolve("data" + step))) {
      step++;
    }
    System.out.println(step + " steps: " + stops);
    for (String what :
        List.of("write .cleaned", "force .cleaned", "rename .swap", "delete .log", "rename .log")) {
      String[] words = what.split(" ");
      assertTrue(
          stops.stream().anyMatch(s -> s.startsWith(words[0]) && s.endsWith(words[1])),
          "never before " + what);
    }
  }

  /**
   * @return false if there were not so many operations
   */
  private boolean killBefore(int step, Path data) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                CompactionProcess.class.getName(),
                data.toString(),
                String.valueOf(step))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    TreeMap<Long, String> written = new TreeMap<>();
    boolean reached = false;
    BufferedReader out = process.inputReader();
    for (String line = out.readLine(); line != null; line = next(out, reached)) {
      if (line.startsWith("before ")) {
        stops.add(line.substring("before ".length()));
        reached = true;
        process.destroyForcibly();
      } else if (!line.equals("done")) {
        int space = line.indexOf(' ');
        written.put(Long.parseLong(line.substring(0, space)), line.substring(space + 1));
      }
    }
    int exit = process.waitFor();
    assertEquals(reached ? 128 + 9 : 0, exit);
    check(data, written, reached ? stops.getLast() : "the end");
    return reached;
  }

  /** Of a process that was killed nothing more is read. */
  private static @Nullable String next(BufferedReader out, boolean killed) throws IOException {
    return killed ? null : out.readLine();
  }

  private static void check(Path data, TreeMap<Long, String> written, String where)
      throws IOException {
    KeyedLog log = new KeyedLog(data, KeyedLog.compacting(CompactionProcess.SEGMENT_BYTES));
    log.bench.worker.hold();
    log.written.putAll(written);
    TreeMap<Long, String> left = log.newestBelow(log.activeBase());
    TreeMap<Long, String> read = log.read();
    assertTrue(read.entrySet().containsAll(left.entrySet()), () -> where + ": lost, " + read);
    assertTrue(written.entrySet().containsAll(read.entrySet()), () -> where + ": " + read);
    assertFalse(log.names().stream().anyMatch(SegmentSwap::isLeftover), where);
    log.bench.worker.release();
    log.bench.advanceMs(30_000);
    assertEquals(left, log.read(), where);
    log.store.close();
    log.bench.directory.close();
  }
}
