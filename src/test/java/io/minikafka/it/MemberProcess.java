package io.minikafka.it;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link MemberProgram} as another process, which can be stopped and killed; what it tells goes
 * to a file. One thread.
 */
final class MemberProcess implements AutoCloseable {
  private static final int LIMIT_S = 60;

  private final String name;
  private final Process process;
  private final Path told;
  private final List<Pause> pauses = new ArrayList<>();
  private long stoppedNs;
  private long killedNs = Long.MAX_VALUE;

  /** From SIGSTOP to SIGCONT, on the clock every process of this machine shares. */
  record Pause(long fromNs, long toNs) {
    boolean isLongerThan(int ms) {
      return toNs - fromNs > MILLISECONDS.toNanos(ms);
    }
  }

  /** One line it told. */
  record Told(long nanos, String word, List<String> rest) {
    int partition() {
      return Integer.parseInt(rest.get(0));
    }

    long number(int index) {
      return Long.parseLong(rest.get(index));
    }

    /** Of a line about several. */
    List<Integer> partitions() {
      return rest.isEmpty()
          ? List.of()
          : List.of(rest.get(0).split(",")).stream().map(Integer::valueOf).toList();
    }
  }

  private MemberProcess(String name, Process process, Path told) {
    this.name = name;
    this.process = process;
    this.told = told;
  }

  static MemberProcess start(
      String name, Path directory, BrokerProcess broker, String topic, String group, int sessionMs)
      throws IOException {
    Path told = directory.resolve(name + ".told");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            MemberProgram.class.getName(),
            "127.0.0.1:" + broker.port(),
            topic,
            group,
            "" + sessionMs);
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(told.toFile())
            .redirectError(directory.resolve(name + ".err").toFile())
            .start();
    return new MemberProcess(name, process, told);
  }

  String name() {
    return name;
  }

  List<Pause> pauses() {
    return pauses;
  }

  /** When SIGKILL was sent; the end of time if never. */
  long killedNs() {
    return killedNs;
  }

  /** When SIGSTOP was sent, while it is stopped. */
  long pausedNs() {
    return stoppedNs;
  }

  boolean isPaused() {
    return stoppedNs != 0;
  }

  void pause() throws IOException, InterruptedException {
    signal("-STOP");
    stoppedNs = System.nanoTime();
  }

  void resume() throws IOException, InterruptedException {
    pauses.add(new Pause(stoppedNs, System.nanoTime()));
    stoppedNs = 0;
    signal("-CONT");
  }

  void kill() throws InterruptedException {
    killedNs = System.nanoTime();
    process.destroyForcibly().waitFor();
  }

  /** Lets it leave its group. */
  void leave() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(LIMIT_S, SECONDS)) {
      throw new IOException(name + " has not left after " + LIMIT_S + " s");
    }
  }

  /** All whole lines so far. */
  List<Told> told() throws IOException {
    String text = Files.readString(told);
    List<Told> lines = new ArrayList<>();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
      List<String> words = List.of(line.split(" "));
      if (words.size() > 1) {
        lines.add(
            new Told(Long.parseLong(words.get(0)), words.get(1), words.subList(2, words.size())));
      }
    }
    return lines;
  }

  private void signal(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", signal, "" + process.pid()).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill " + signal + " " + process.pid() + " failed");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
