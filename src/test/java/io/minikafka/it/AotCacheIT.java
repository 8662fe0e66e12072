package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.it.Launcher.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was trained when the program was packaged is used where it fits, and else is nobody's
 * trouble.
 */
class AotCacheIT {
  private static final Path APP = Launcher.path().resolveSibling("quarkus-app");

  private static final String OTHER = "has not the checksum of %s.sum";
  private static final String NO_FILE = "is no regular file";
  private static final String NONE = "has no readable checksum beside it (%s.sum)";

  @TempDir Path dir;

  @BeforeEach
  void aCacheWasMade() {
    assumeTrue(Files.exists(APP.resolve("broker.aot")), "built with -Dtrain.skip: no AOT caches");
  }

  @Test
  void aBrokerHasWhatWasTrained() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      String maps = Files.readString(Path.of("/proc/" + broker.pid() + "/maps"));
      assertTrue(maps.contains(APP.resolve("broker.aot").toRealPath().toString()), maps);
    }
  }

  @Test
  void aCommandHasItsClassesFromWhatWasTrained() throws Exception {
    Path log = dir.resolve("classes.txt");
    Result result = version("-Xlog:class+load:file=" + log);
    assertEquals(0, result.exitCode(), result::err);
    List<String> ours =
        Files.readAllLines(log).stream()
            .filter(l -> l.contains(" io.minikafka.main.Main "))
            .toList();
    assertEquals(1, ours.size());
    assertTrue(ours.getFirst().contains("source: shared objects file"), ours::getFirst);
  }

  /** Elsewhere Java would have to rewrite all of it first, and elsewhere again each time. */
  @Test
  void whatWasTrainedStandsWhereItWasMadeFor() throws Exception {
    Result first = version("-Xlog:gc+metaspace::none");
    assertTrue(first.out().contains("archive(s) mapped at"), first::out);
    assertEquals(first.out(), version("-Xlog:gc+metaspace::none").out());
  }

  /** Java takes no such option beside a cache, and would not begin. */
  @Test
  void whoChoosesAnArchiveByOptionsGetsNoOther() throws Exception {
    for (String option : List.of("-Xshare:off", "-Xshare:auto -XX:SharedArchiveFile=" + dir)) {
      Result chosen = version(option);
      assertEquals(0, chosen.exitCode(), chosen::out);
      // In front of it Java says what it thinks of such an archive.
      assertTrue(chosen.out().endsWith(version("").out()), chosen::out);
    }
  }

  private static Result version(String javaOpts) throws IOException, InterruptedException {
    return Launcher.runCommand(
        Map.of("JAVA_OPTS", javaOpts), List.of(Launcher.path().toString(), "--version"));
  }

  @Test
  void whatWasTrainedForAnotherCollectorIsNotUsedAndNotSpokenOf() throws Exception {
    Result plain = version("");
    Result other = version("-XX:+UseZGC");
    assertEquals(plain.out(), other.out());
    assertEquals("", other.err());
  }

  /** As a copy is whose pages never reached the disk. */
  @Test
  void aBrokerStartsBesideACacheWithZerosInIt() throws Exception {
    Path cache = copied("broker.aot");
    try (FileChannel channel = FileChannel.open(cache, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate((int) (channel.size() / 2)), channel.size() / 8);
    }
    assertServesWithout(cache, OTHER);
  }

  @Test
  void aBrokerStartsBesideACacheWhoseHeaderWentBad() throws Exception {
    Path cache = copied("broker.aot");
    flip(cache, 0.0);
    assertServesWithout(cache, OTHER);
  }

  @Test
  void aBrokerStartsBesideACacheWhoseClassesWentBad() throws Exception {
    Path cache = copied("broker.aot");
    flip(cache, 0.3);
    assertServesWithout(cache, OTHER);
  }

  /** Without these Java cannot go on: its classes come linked to them. */
  @Test
  void aBrokerStartsBesideACacheWhoseObjectsWentBad() throws Exception {
    Path cache = copied("broker.aot");
    flip(cache, 0.97);
    assertServesWithout(cache, OTHER);
  }

  @Test
  void aBrokerStartsBesideACacheThatWasCut() throws Exception {
    Path cache = copied("broker.aot");
    try (FileChannel channel = FileChannel.open(cache, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 4096);
    }
    assertServesWithout(cache, OTHER);
  }

  @Test
  void aBrokerStartsBesideAnEmptyCache() throws Exception {
    Path cache = copied("broker.aot");
    Files.write(cache, new byte[0]);
    assertServesWithout(cache, OTHER);
  }

  @Test
  void aBrokerStartsBesideACacheWithoutItsChecksum() throws Exception {
    Path cache = copied("broker.aot");
    Files.delete(sum(cache));
    assertServesWithout(cache, NONE);
  }

  @Test
  void aBrokerStartsBesideACacheWhoseChecksumIsEmpty() throws Exception {
    Path cache = copied("broker.aot");
    Files.write(sum(cache), new byte[0]);
    assertServesWithout(cache, NONE);
  }

  @Test
  void aBrokerStartsBesideACacheThatIsADirectory() throws Exception {
    Path cache = copied("broker.aot");
    Files.delete(cache);
    Files.createDirectory(cache);
    assertServesWithout(cache, NO_FILE);
  }

  /** To open a pipe lasts until somebody writes into it. */
  @Test
  void aBrokerStartsBesideAPipeInPlaceOfACache() throws Exception {
    Path cache = copied("broker.aot");
    pipe(cache);
    assertServesWithout(cache, NO_FILE);
  }

  @Test
  void aCommandIsRunBesideWhatIsNoFile() throws Exception {
    Path cache = copied("cli.aot");
    pipe(sum(cache));
    assertRunsWithout(cache, NONE);
    pipe(cache);
    assertRunsWithout(cache, NO_FILE);
    Files.delete(cache);
    Files.createSymbolicLink(cache, Path.of("/dev/zero"));
    assertRunsWithout(cache, NO_FILE);
  }

  private void assertRunsWithout(Path cache, String reason) throws Exception {
    Result result =
        Launcher.runCommand(Map.of(), List.of(dir.resolve("minikafka").toString(), "--version"));
    assertEquals(0, result.exitCode(), result::toString);
    assertEquals(version("").out(), result.out());
    assertEquals(line(cache, reason), result.err());
  }

  /** In place of what is there. */
  private static void pipe(Path path) throws IOException, InterruptedException {
    Files.delete(path);
    Result made = Launcher.runCommand(Map.of(), List.of("mkfifo", path.toString()));
    assertEquals(0, made.exitCode(), made::err);
  }

  @Test
  void aCommandIsRunBesideACacheThatWentBadAnywhere() throws Exception {
    Path cache = copied("cli.aot");
    for (double part : new double[] {0.0, 0.1, 0.5, 0.9, 0.97, 0.995}) {
      flip(cache, part);
      assertRunsWithout(cache, OTHER);
      flip(cache, part);
    }
  }

  @Test
  void aCommandIsRunBesideABadCacheWhereNobodyCanBeTold() throws Exception {
    Files.delete(sum(copied("cli.aot")));
    String launcher = dir.resolve("minikafka").toString();
    Result result =
        Launcher.runCommand(Map.of(), List.of("sh", "-c", "exec \"$0\" --version 2>&-", launcher));
    assertEquals(0, result.exitCode(), result::err);
    assertEquals(version("").out(), result.out());
  }

  @Test
  void noCacheIsNotSpokenOf() throws Exception {
    Files.delete(copied("cli.aot"));
    Result result =
        Launcher.runCommand(Map.of(), List.of(dir.resolve("minikafka").toString(), "--version"));
    assertEquals(version("").out(), result.out());
    assertEquals("", result.err());
  }

  /** Copies the program with the times of its files, and returns its cache of that name. */
  private Path copied(String cache) throws IOException, InterruptedException {
    Path whole = Launcher.path().getParent();
    Result result =
        Launcher.runCommand(
            Map.of(),
            List.of("cp", "-a", whole + "/minikafka", whole + "/quarkus-app", dir.toString()));
    assertEquals(0, result.exitCode(), result::err);
    return dir.toRealPath().resolve("quarkus-app").resolve(cache);
  }

  private static Path sum(Path cache) {
    return cache.resolveSibling(cache.getFileName() + ".sum");
  }

  /**
   * Turns one bit over; again, and it is as it was.
   *
   * @param part of the file that is before it
   */
  private static void flip(Path cache, double part) throws IOException {
    try (FileChannel channel =
        FileChannel.open(cache, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long position = (long) (channel.size() * part);
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 0x10)).rewind();
      channel.write(one, position);
    }
  }

  /**
   * The broker of the copied program becomes ready, does what it is asked for, and has said in one
   * line why it goes without the cache.
   */
  private void assertServesWithout(Path cache, String reason) throws Exception {
    // The program of the build, which BrokerProcess puts behind it, is left out.
    List<String> copy =
        List.of("sh", "-c", "shift; exec \"$0\" \"$@\"", dir.resolve("minikafka").toString());
    try (BrokerProcess broker = BrokerProcess.startBy(copy, dir.resolve("data"))) {
      List<String> said =
          broker.output().lines().filter(line -> line.contains("broker.aot")).toList();
      assertEquals(1, said.size(), broker.output());
      assertEquals(line(cache, reason), said.getFirst() + "\n");
      Result created =
          Launcher.runCommand(
              Map.of("MINIKAFKA_ADMIN", "127.0.0.1:" + broker.httpPort()),
              List.of(Launcher.path().toString(), "topic", "create", "asked"));
      assertEquals(0, created.exitCode(), created::err);
      assertEquals(143, broker.terminate(), broker.output());
    }
  }

  private static String line(Path cache, String reason) {
    String name = cache.getFileName().toString();
    return "minikafka: %s %s; starting without it, which takes longer: %s\n"
        .formatted(cache, reason.formatted(name), "minikafka-train makes it again");
  }

  @Test
  void whatWasTrainedForOtherFilesIsNotUsedAndNotSpokenOf() throws Exception {
    Path jar = Files.copy(APP.resolve("quarkus-run.jar"), dir.resolve("quarkus-run.jar"));
    Path app = Files.createDirectory(dir.resolve("quarkus-app"));
    Files.move(jar, app.resolve(jar.getFileName()));
    for (String part : List.of("app", "lib", "quarkus", "cli.aot", "cli.aot.sum")) {
      Files.createSymbolicLink(app.resolve(part), APP.resolve(part));
    }
    Files.setLastModifiedTime(app.resolve(jar.getFileName()), FileTime.from(Instant.EPOCH));
    Path launcher = Files.copy(Launcher.path(), dir.resolve("minikafka"));
    Result moved = Launcher.runCommand(Map.of(), List.of("sh", launcher.toString(), "--version"));
    assertEquals(version("").out(), moved.out());
    assertEquals("", moved.err());
  }
}
