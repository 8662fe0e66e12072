package io.minikafka.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process that uses the disk, and says in one line what came of it. */
final class Probe {
  private Probe() {}

  public static void main(String[] args) throws IOException {
    LocalDisk disk = new LocalDisk();
    Path file = Path.of(args[1]);
    switch (args[0]) {
      case "lock" -> lock(disk, file);
      case "open" -> open(disk, file);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void lock(LocalDisk disk, Path file) throws IOException {
    try (Disk.DiskLock lock = disk.lock(file)) {
      say("locked");
      // Until the other side has seen enough.
      while (System.in.read() >= 0) {}
    } catch (AlreadyLockedException e) {
      say(String.valueOf(e.getMessage()));
    }
  }

  /** Opens the file again and again, until it may not. */
  private static void open(LocalDisk disk, Path file) throws IOException {
    List<DiskFile> held = new ArrayList<>();
    IOException end = new IOException("never");
    for (int i = 0; i < 10_000; i++) {
      try {
        held.add(disk.open(file, Disk.Mode.READ));
      } catch (IOException e) {
        end = e;
        break;
      }
    }
    for (DiskFile one : held) {
      one.close();
    }
    say(end.getClass().getSimpleName());
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Starts it; the prefix is a command that runs what follows it. */
  static Process start(List<String> prefix, String what, Path file) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of("-cp", "target/classes:target/test-classes"));
    command.addAll(List.of(Probe.class.getName(), what, file.toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** What it says first. */
  static String line(Process process) throws IOException {
    return String.valueOf(process.inputReader(StandardCharsets.UTF_8).readLine());
  }
}
