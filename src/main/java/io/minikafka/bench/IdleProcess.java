package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Idle connections that another process holds, so that the one that measures has nothing of them.
 * It does what it is told line by line, and ends with its input: also when this process is killed.
 * One thread.
 */
public final class IdleProcess implements AutoCloseable {
  private static final String OPEN = "open ";
  private static final String CLOSE = "close";
  private static final int STOP_LIMIT_S = 10;

  private final Process process;
  private final PrintWriter say;
  private final BufferedReader heard;

  private IdleProcess(Process process) {
    this.process = process;
    this.say = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    this.heard = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * @param words that start {@link #run} in a process, without the server's address
   */
  static IdleProcess start(List<String> words, ServerAddress server) throws IOException {
    List<String> all = new ArrayList<>(words);
    all.add(server.toString());
    return new IdleProcess(
        new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  void open(int count) throws IOException {
    ask(OPEN + count);
  }

  void closeAll() throws IOException {
    ask(CLOSE);
  }

  private void ask(String line) throws IOException {
    say.println(line);
    String answer = heard.readLine();
    if (!line.equals(answer)) {
      throw new IOException(answer == null ? "the process with idle connections ended" : answer);
    }
  }

  @Override
  public void close() {
    say.close();
    try {
      if (!process.waitFor(STOP_LIMIT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** What that process does: answers each line with the same one, or with what went wrong. */
  public static void run(ServerAddress server, BufferedReader lines, PrintWriter answers)
      throws IOException {
    try (IdleConnections connections = new IdleConnections(server)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          if (line.startsWith(OPEN)) {
            connections.open(Integer.parseInt(line.substring(OPEN.length())));
          } else if (line.equals(CLOSE)) {
            connections.close();
          } else {
            throw new IOException("not understood: " + line);
          }
          answers.println(line);
        } catch (IOException e) {
          answers.println(String.valueOf(e.getMessage()));
        }
        answers.flush();
      }
    }
  }
}
