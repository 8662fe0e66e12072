package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No client of the control plane is broken: compared with the committed set of descriptors, by buf
 * where it is to be had and always by {@link ProtoBreaks}. With {@code -Ddescriptors=write} the set
 * is replaced by what there is today.
 */
class ProtoBreakingTest {
  private static final Path SET = Path.of("src/test/resources/admin-v1.binpb").toAbsolutePath();
  private static final Path TOPICS = Path.of("minikafka/admin/v1/topic_service.proto");

  @TempDir Path temp;

  private static FileDescriptorSet committed() throws IOException {
    if ("write".equals(System.getProperty("descriptors"))) {
      Files.write(SET, AdminDescriptors.set().toByteArray());
    }
    return FileDescriptorSet.parseFrom(Files.readAllBytes(SET));
  }

  @Test
  void nothingIsBroken() throws IOException {
    assertEquals(List.of(), ProtoBreaks.between(committed(), AdminDescriptors.set()));
  }

  /** Between releases the set may lag behind: what is not in it may still be changed. */
  @Test
  void setOfAReleaseLacksNothing() throws IOException {
    List<String> lacking = ProtoBreaks.between(AdminDescriptors.set(), committed());
    if (!lacking.isEmpty()) {
      System.out.println("the committed descriptors lack: " + lacking);
    }
    assertTrue(isBetweenReleases() || lacking.isEmpty(), lacking::toString);
  }

  private static boolean isBetweenReleases() throws IOException {
    Matcher version =
        Pattern.compile("<version>([^<]+)</version>").matcher(Files.readString(Path.of("pom.xml")));
    assertTrue(version.find());
    return version.group(1).endsWith("-SNAPSHOT");
  }

  @Test
  void bufFindsNothingBroken() throws IOException {
    committed();
    Buf.Run run = Buf.orSkip().run(AdminDescriptors.PROTO, breaking());
    assertEquals(new Buf.Run(0, "", ""), run);
  }

  @Test
  void bufFindsARemovedField() throws IOException {
    Buf buf = Buf.orSkip();
    try (Stream<Path> files = Files.walk(AdminDescriptors.PROTO)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = temp.resolve(AdminDescriptors.PROTO.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    Path topics = temp.resolve(TOPICS.toString());
    String before = Files.readString(topics);
    Files.writeString(topics, before.replace("  int32 partition_count = 3;\n", ""));
    Buf.Run run = buf.run(temp, breaking());
    assertEquals(100, run.exit(), run.out() + run.err());
    assertTrue(run.out().contains("partition_count"), run.out());
  }

  private static String[] breaking() {
    return new String[] {
      "breaking", "--against", SET.toString(), "--limit-to-input-files", "--exclude-imports"
    };
  }

  @Test
  void removedFieldIsFound() {
    assertBroken("field of Topic 3 is gone", file -> message(file, "Topic").removeField(2));
  }

  @Test
  void renumberedFieldIsFound() {
    assertBroken("field of Topic 3 is gone", file -> field(file, "Topic", 2).setNumber(33));
  }

  @Test
  void changedTypeIsFound() {
    assertBroken(
        "field 3 of Topic: type was TYPE_INT32, is TYPE_INT64",
        file -> field(file, "Topic", 2).setType(FieldDescriptorProto.Type.TYPE_INT64));
  }

  @Test
  void renamedFieldIsFound() {
    assertBroken(
        "field 3 of Topic: name was partition_count, is partitions",
        file -> field(file, "Topic", 2).setName("partitions"));
  }

  @Test
  void fieldThatBecomesAListIsFound() {
    assertBroken(
        "field 3 of Topic: label was LABEL_OPTIONAL, is LABEL_REPEATED",
        file -> field(file, "Topic", 2).setLabel(FieldDescriptorProto.Label.LABEL_REPEATED));
  }

  @Test
  void removedMessageIsFound() {
    assertBroken("message Topic is gone", file -> message(file, "Topic").setName("Theme"));
  }

  @Test
  void removedValueIsFound() {
    assertBroken(
        "value of SettingSource 2 is gone", file -> file.getEnumTypeBuilder(0).removeValue(2));
  }

  @Test
  void removedRpcIsFound() {
    assertBroken(
        "rpc of TopicService Create is gone", file -> file.getServiceBuilder(0).removeMethod(0));
  }

  @Test
  void rpcThatBecomesAStreamIsFound() {
    assertBroken(
        "TopicService/Create: server stream was false, is true",
        file -> rpc(file).setServerStreaming(true));
  }

  @Test
  void rpcOfAnotherRequestIsFound() {
    assertBroken(
        "TopicService/Create: request was .minikafka.admin.v1.TopicServiceCreateRequest, is .x.Y",
        file -> rpc(file).setInputType(".x.Y"));
  }

  @Test
  void whatIsNewIsNoBreak() {
    FileDescriptorSet now =
        changed(
            file -> {
              message(file, "Topic").addFieldBuilder().setName("more").setNumber(99);
              file.addMessageTypeBuilder().setName("More");
              file.getServiceBuilder(0).addMethodBuilder().setName("More");
            });
    assertEquals(List.of(), ProtoBreaks.between(AdminDescriptors.set(), now));
  }

  private static void assertBroken(String line, Consumer<FileDescriptorProto.Builder> change) {
    List<String> found = ProtoBreaks.between(AdminDescriptors.set(), changed(change));
    assertTrue(found.contains(line), found::toString);
  }

  private static FileDescriptorSet changed(Consumer<FileDescriptorProto.Builder> change) {
    FileDescriptorSet.Builder set = AdminDescriptors.set().toBuilder();
    set.getFileBuilderList().stream()
        .filter(file -> file.getName().equals(TOPICS.toString()))
        .forEach(change);
    return set.build();
  }

  private static DescriptorProto.Builder message(FileDescriptorProto.Builder file, String name) {
    return file.getMessageTypeBuilderList().stream()
        .filter(message -> message.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static FieldDescriptorProto.Builder field(
      FileDescriptorProto.Builder file, String message, int index) {
    return message(file, message).getFieldBuilder(index);
  }

  private static MethodDescriptorProto.Builder rpc(FileDescriptorProto.Builder file) {
    return file.getServiceBuilder(0).getMethodBuilder(0);
  }
}
