package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proto files keep the habits of their trade and explain every field. */
class ProtoLintTest {
  private static final Path PROTO = Path.of("proto");

  /** A service, method, message, field, enum or enum value. */
  private static final Pattern DECLARATION =
      Pattern.compile(
          "(service|rpc|message|enum) .*|((optional|repeated|map<[^>]+>) )?[\\w.]+ \\w+ = \\d+;"
              + "|map<.*> \\w+ = \\d+;|[A-Z_]+ = \\d+;");

  @TempDir Path temp;

  @Test
  void lintFindsNothing() {
    Buf.Run run = Buf.orSkip().run(PROTO, "lint");
    assertEquals(new Buf.Run(0, "", ""), run);
  }

  @Test
  void lintFindsWhatIsWrong() throws IOException {
    Buf buf = Buf.orSkip();
    Path file = Path.of("minikafka/admin/v1/topic_service.proto");
    try (Stream<Path> all = Files.walk(PROTO)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        Path copy = temp.resolve(PROTO.relativize(each));
        Files.createDirectories(copy.getParent());
        Files.copy(each, copy);
      }
    }
    Files.writeString(
        temp.resolve(file),
        Files.readString(PROTO.resolve(file)).replace("partition_count = 3", "partitionCount = 3"));
    Buf.Run run = buf.run(temp, "lint");
    assertEquals(100, run.exit());
    assertTrue(run.out().contains("partition_count"), run.out());
  }

  @Test
  void everyDeclarationIsExplained() throws IOException {
    List<String> unexplained = new ArrayList<>();
    int declarations = 0;
    try (Stream<Path> files = Files.walk(PROTO)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".proto")).toList()) {
        String before = "";
        for (String line : Files.readAllLines(file)) {
          String text = line.strip();
          if (DECLARATION.matcher(text).matches()) {
            declarations++;
            if (!before.startsWith("//")) {
              unexplained.add(file.getFileName() + ": " + text);
            }
          }
          before = text;
        }
      }
    }
    assertEquals(List.of(), unexplained);
    assertTrue(declarations > 50, "found only " + declarations);
  }
}
