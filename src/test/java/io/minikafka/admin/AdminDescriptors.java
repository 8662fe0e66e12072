package io.minikafka.admin;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What proto/ declares, as the build has made it: whatever is added there is found here. */
final class AdminDescriptors {
  static final Path PROTO = Path.of("proto");

  private AdminDescriptors() {}

  /** The files of proto/, by name. */
  static List<FileDescriptor> files() {
    try (Stream<Path> found = Files.walk(PROTO)) {
      return found
          .map(path -> String.valueOf(path.getFileName()))
          .filter(name -> name.endsWith(".proto"))
          .sorted()
          .map(AdminDescriptors::file)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code topic_service.proto} is made into TopicServiceProto. */
  private static FileDescriptor file(String name) {
    StringBuilder type = new StringBuilder("io.minikafka.admin.v1.");
    for (String word : name.replace(".proto", "").split("_")) {
      type.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    try {
      return (FileDescriptor)
          Class.forName(type.append("Proto").toString()).getMethod("getDescriptor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(name + " has not been made into a class of its name", e);
    }
  }

  static List<ServiceDescriptor> services() {
    return files().stream().flatMap(file -> file.getServices().stream()).toList();
  }

  static List<MethodDescriptor> methods() {
    return services().stream().flatMap(service -> service.getMethods().stream()).toList();
  }

  /** The files of proto/ with all that they import, each after what it imports. */
  static FileDescriptorSet set() {
    Map<String, FileDescriptorProto> all = new LinkedHashMap<>();
    files().forEach(file -> add(file, all));
    return FileDescriptorSet.newBuilder().addAllFile(all.values()).build();
  }

  private static void add(FileDescriptor file, Map<String, FileDescriptorProto> all) {
    if (!all.containsKey(file.getName())) {
      file.getDependencies().forEach(needed -> add(needed, all));
      FileDescriptorProto.Builder proto = file.toProto().toBuilder();
      for (int i = 0; i < proto.getMessageTypeCount(); i++) {
        name(file.getMessageTypes().get(i), proto.getMessageTypeBuilder(i));
      }
      all.put(file.getName(), proto.build());
    }
  }

  /** As compilers do, and buf expects it: the name of each field in JSON is said. */
  private static void name(Descriptor message, DescriptorProto.Builder proto) {
    for (int i = 0; i < proto.getFieldCount(); i++) {
      proto.getFieldBuilder(i).setJsonName(message.getFields().get(i).getJsonName());
    }
    for (int i = 0; i < proto.getNestedTypeCount(); i++) {
      name(message.getNestedTypes().get(i), proto.getNestedTypeBuilder(i));
    }
  }
}
