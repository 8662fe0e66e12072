package io.minikafka.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.minikafka.admin.v1.BrokerServiceProto;
import io.minikafka.admin.v1.GroupServiceProto;
import io.minikafka.admin.v1.LogServiceProto;
import io.minikafka.admin.v1.TopicServiceProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A field of {@code --output json} is called as in gRPC, or is in the table of docs/CLI.md. */
class JsonNamesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/minikafka/cli");
  private static final List<FileDescriptor> FILES =
      List.of(
          BrokerServiceProto.getDescriptor(),
          TopicServiceProto.getDescriptor(),
          GroupServiceProto.getDescriptor(),
          LogServiceProto.getDescriptor());

  /** Calls that write a field of that name. */
  private static final Pattern WRITTEN =
      Pattern.compile(
          "(?:write\\w*Field|write(?:Array|Object)FieldStart|writeFieldName)\\(\\s*\"(\\w+)\""
              + "|(?:text|strings|bytes|payload|write)\\(\\s*json, \"(\\w+)\"");

  @Test
  void namesAreThoseOfGrpcOrAreInTheTable() throws IOException {
    Set<String> inTable = documented();
    Set<String> inGrpc = new TreeSet<>();
    FILES.forEach(file -> file.getMessageTypes().forEach(type -> collect(type, inGrpc)));
    Set<String> unknown = new TreeSet<>(written());
    assertTrue(unknown.size() > 50, unknown::toString);
    unknown.removeAll(inGrpc);
    assertEquals(inTable, unknown);
  }

  private static void collect(Descriptor type, Set<String> names) {
    type.getFields().stream().map(FieldDescriptor::getJsonName).forEach(names::add);
    type.getNestedTypes().forEach(nested -> collect(nested, names));
  }

  private static Set<String> written() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> sources = Files.list(SOURCES)) {
      for (Path source : sources.toList()) {
        Matcher matcher = WRITTEN.matcher(Files.readString(source));
        while (matcher.find()) {
          names.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
      }
    }
    return names;
  }

  /** The first column of the table of other names. */
  private static Set<String> documented() throws IOException {
    String text = Files.readString(Path.of("docs/CLI.md"));
    String table = text.substring(text.indexOf("| name | is |"), text.indexOf("## Naming"));
    Set<String> names = new TreeSet<>();
    table
        .lines()
        .skip(2)
        .filter(line -> line.startsWith("|"))
        .flatMap(line -> Pattern.compile("`(\\w+)`").matcher(line.split("\\|")[1]).results())
        .forEach(name -> names.add(name.group(1)));
    return names;
  }
}
