package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar a program needs to produce and consume, and that it needs no other. */
class ClientJarIT {
  private static final String PROGRAM =
      """
      import io.minikafka.TopicPartition;
      import io.minikafka.client.*;
      import java.time.Duration;
      import java.util.*;

      public class Program {
        public static void main(String[] args) {
          ServerAddress server = ServerAddress.parse(args[0]);
          try (Admin admin = Admin.open(ClientSettings.of(server))) {
            admin.createTopic("greetings", 1, Map.of("flush.policy", "none"));
          }
          try (Producer producer = Producer.open(ProducerSettings.of(server))) {
            for (String word : List.of("to", "be", "or", "not")) {
              producer.send(ProducerRecord.of("greetings", word.getBytes()));
            }
          }
          try (Consumer consumer = Consumer.open(ConsumerSettings.of(server))) {
            consumer.subscribe(List.of("greetings"), "readers", RebalanceListener.NONE);
            int read = 0;
            while (read < 4) {
              for (ConsumerRecord record : consumer.poll(Duration.ofSeconds(20))) {
                System.out.println(record + " " + new String(record.value().get().toArray()));
                read++;
              }
            }
            consumer.commitSync();
            System.out.println(consumer.committed(consumer.assignment()));
          }
        }
      }
      """;

  @TempDir Path dir;

  private static Path jar() {
    return Path.of(System.getProperty("it.client.jar"));
  }

  @Test
  void holdsTheFivePackagesAndNothingElse() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      List<String> strangers =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(ZipEntry::getName)
              .filter(name -> !name.equals("META-INF/MANIFEST.MF"))
              .filter(
                  name ->
                      !name.matches(
                          "io/minikafka/((codec|record|protocol|client)/.+|[^/]+\\.class)"))
              .toList();
      assertEquals(List.of(), strangers);
    }
  }

  @Test
  void aProgramWithOnlyThisJarProducesAndConsumes() throws Exception {
    Path source = Files.writeString(dir.resolve("Program.java"), PROGRAM);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null, null, null, "-cp", jar().toString(), "-d", dir.toString(), source.toString());
    assertEquals(0, compiled);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String classPath = jar() + ":" + dir;
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      List<String> command =
          List.of(java.toString(), "-cp", classPath, "Program", "127.0.0.1:" + broker.port());

      Launcher.Result result = Launcher.runCommand(Map.of("CLASSPATH", ""), command);

      assertEquals("", result.err());
      assertEquals(
          """
          greetings-0@0 to
          greetings-0@1 be
          greetings-0@2 or
          greetings-0@3 not
          {greetings-0=CommittedOffset[offset=4, epoch=1, metadata=]}
          """,
          result.out());
      assertEquals(0, result.exitCode());
    }
  }
}
