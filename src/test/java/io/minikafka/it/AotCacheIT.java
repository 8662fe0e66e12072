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
  void whatWentBadIsNotUsed() throws Exception {
    Path whole = Launcher.path().getParent();
    Result copied =
        Launcher.runCommand(
            Map.of(),
            List.of("cp", "-a", whole + "/minikafka", whole + "/quarkus-app", dir.toString()));
    assertEquals(0, copied.exitCode(), copied::err);
    try (FileChannel cache =
        FileChannel.open(dir.resolve("quarkus-app/broker.aot"), StandardOpenOption.WRITE)) {
      cache.write(ByteBuffer.allocate((int) (cache.size() / 2)), cache.size() / 8);
    }
    String launcher = dir.resolve("minikafka").toString();
    Result result = Launcher.runCommand(Map.of(), List.of(launcher, "serve", "--help"));
    assertEquals(0, result.exitCode(), result::out);
    assertTrue(result.out().startsWith("Usage: minikafka serve"), result::out);
  }

  @Test
  void whatWasTrainedForOtherFilesIsNotUsedAndNotSpokenOf() throws Exception {
    Path jar = Files.copy(APP.resolve("quarkus-run.jar"), dir.resolve("quarkus-run.jar"));
    Path app = Files.createDirectory(dir.resolve("quarkus-app"));
    Files.move(jar, app.resolve(jar.getFileName()));
    for (String part : List.of("app", "lib", "quarkus", "cli.aot")) {
      Files.createSymbolicLink(app.resolve(part), APP.resolve(part));
    }
    Files.setLastModifiedTime(app.resolve(jar.getFileName()), FileTime.from(Instant.EPOCH));
    Path launcher = Files.copy(Launcher.path(), dir.resolve("minikafka"));
    Result moved = Launcher.runCommand(Map.of(), List.of("sh", launcher.toString(), "--version"));
    assertEquals(version("").out(), moved.out());
    assertEquals("", moved.err());
  }
}
