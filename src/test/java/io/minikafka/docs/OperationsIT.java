package io.minikafka.docs;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.FileDescriptor;
import grpc.health.v1.HealthOuterClass;
import io.minikafka.admin.Buf;
import io.minikafka.admin.v1.BrokerServiceProto;
import io.minikafka.admin.v1.GroupServiceProto;
import io.minikafka.admin.v1.LogServiceProto;
import io.minikafka.admin.v1.TopicServiceProto;
import io.minikafka.docs.Grpcurl.Request;
import io.minikafka.docs.Transcript.Step;
import io.minikafka.it.BrokerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/OPERATIONS.md shows is what a broker does: each line of its transcripts is typed once
 * more, in order, on a broker of its own, and its answer compared. {@code grpcurl} lines are
 * answered by {@code buf curl}, by reflection alone, where there is one.
 *
 * <p>With {@code -Dtranscripts=write} the answers in the document are replaced by those of today,
 * but for those that differ in nothing that counts.
 */
class OperationsIT {
  private static final Path DOCUMENT = Path.of("docs/OPERATIONS.md");

  /** All that a grpcurl line may ask for. */
  private static final List<FileDescriptor> FILES =
      List.of(
          HealthOuterClass.getDescriptor(),
          BrokerServiceProto.getDescriptor(),
          TopicServiceProto.getDescriptor(),
          GroupServiceProto.getDescriptor(),
          LogServiceProto.getDescriptor());

  /** What only looks is asked again until it sees what others bring about. */
  private static final long PATIENCE_S = 30;

  private static final long AGAIN_MS = 100;

  private final Likeness likeness = new Likeness();
  private final Optional<Buf> buf = Buf.find();
  private final List<Process> inBackground = new ArrayList<>();

  @TempDir Path temp;
  private BrokerProcess broker;

  @BeforeEach
  void startBroker() throws IOException, InterruptedException {
    broker = BrokerProcess.start(temp.resolve("minikafka-data"));
  }

  @AfterEach
  void endAll() {
    inBackground.forEach(
        process -> {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        });
    broker.close();
  }

  @Test
  void everyLineIsAnsweredAsTheDocumentSays() throws IOException, InterruptedException {
    Transcript transcript = new Transcript(Files.readString(DOCUMENT));
    List<String> answers = new ArrayList<>();
    List<String> different = new ArrayList<>();
    for (Step step : transcript.steps()) {
      String answer = run(step);
      boolean alike = likeness.alike(step.answer(), answer);
      if (!alike) {
        different.add(
            "$ " + step.line() + "\nthe document says\n" + step.answer() + "\nit was\n" + answer);
      }
      answers.add(alike ? step.answer() : answer);
    }
    assertTrue(answers.size() > 5, "only " + answers.size() + " lines were found");
    if ("write".equals(System.getProperty("transcripts"))) {
      Files.writeString(DOCUMENT, transcript.with(answers));
    } else {
      assertEquals("", String.join("\n\n", different));
    }
  }

  private String run(Step step) throws IOException, InterruptedException {
    String line = likeness.typed(step.line());
    long endNanos = System.nanoTime() + SECONDS.toNanos(PATIENCE_S);
    while (true) {
      String answer = line.startsWith("grpcurl ") ? grpcurl(step, line) : shell(line);
      boolean known = !step.answer().isEmpty() && !step.answer().equals("?");
      boolean again = known && looksOnly(line) && System.nanoTime() < endNanos;
      if (!again || new Likeness().alike(step.answer(), answer)) {
        return answer;
      }
      LockSupport.parkNanos(MILLISECONDS.toNanos(AGAIN_MS));
    }
  }

  private static boolean looksOnly(String line) {
    return line.matches(
        "(?s)grpcurl .*/(Describe|List\\w*)|minikafka (\\w+ )?(describe|list|lag|info|offsets).*");
  }

  private String grpcurl(Step step, String line) throws IOException, InterruptedException {
    Optional<Request> request = Grpcurl.request(line);
    if (request.isPresent()) {
      return buf.isPresent()
          ? curl(buf.get(), request.get())
          : new Grpcurl(FILES, broker.httpPort()).answer(request.get());
    }
    // Another verb, which only somebody who reads by reflection can answer.
    if (buf.isPresent() && line.endsWith(" list")) {
      return buf.get()
          .run(
              temp,
              "curl",
              "--http2-prior-knowledge",
              "--protocol",
              "grpc",
              "--list-services",
              url(""))
          .out();
    }
    System.out.println("skipped, as there is no buf: " + line);
    return step.answer();
  }

  private String curl(Buf command, Request request) {
    String[] arguments = {
      "curl",
      "--http2-prior-knowledge",
      "--protocol",
      "grpc",
      "--data",
      request.json(),
      url("/" + request.path())
    };
    if (request.isEndless()) {
      // What it says of having been ended is not of interest.
      return command.runFor(request.maxSeconds(), temp, arguments).out().strip();
    }
    Buf.Run run = command.run(temp, arguments);
    return (run.out() + run.err()).strip();
  }

  private String url(String path) {
    return "http://127.0.0.1:" + broker.httpPort() + path;
  }

  private String shell(String line) throws IOException, InterruptedException {
    if (line.equals("kill %1")) {
      end(inBackground.getFirst());
      return "";
    }
    boolean background = line.endsWith("&");
    Path out = Files.createTempFile(temp, "out", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash",
                "-c",
                "minikafka() { \"$LAUNCHER\" \"$@\"; }; " + line + (background ? " wait" : ""))
            .directory(temp.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("LAUNCHER", Path.of("target/minikafka").toAbsolutePath().toString());
    builder.environment().put("MINIKAFKA_BROKER", "127.0.0.1:" + broker.port());
    builder.environment().put("MINIKAFKA_ADMIN", "127.0.0.1:" + broker.httpPort());
    Process process = builder.start();
    process.getOutputStream().close();
    if (background) {
      inBackground.add(process);
      return "";
    }
    if (!process.waitFor(PATIENCE_S * 2, SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException("has not ended: " + line);
    }
    return Files.readString(out, StandardCharsets.UTF_8).strip();
  }

  /** Also waits for what the shell started, which takes its leave of the broker meanwhile. */
  private static void end(Process shell) throws InterruptedException, IOException {
    List<ProcessHandle> started = shell.descendants().toList();
    started.forEach(ProcessHandle::destroy);
    shell.waitFor(PATIENCE_S, SECONDS);
    for (ProcessHandle each : started) {
      try {
        each.onExit().get(PATIENCE_S, SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("has not ended: " + each.info(), e);
      }
    }
  }
}
