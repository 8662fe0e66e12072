package io.minikafka.admin;

import static java.util.stream.Collectors.toMap;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What a client made from an older set of descriptors would miss in a newer one: things that are
 * gone, or are something else by the same name or number. What is new is no break.
 */
final class ProtoBreaks {
  private static final String OURS = "minikafka/";

  private final List<String> found = new ArrayList<>();

  private ProtoBreaks() {}

  /** One line for each break; empty if there is none. */
  static List<String> between(FileDescriptorSet before, FileDescriptorSet after) {
    ProtoBreaks breaks = new ProtoBreaks();
    breaks.each("file", ours(before), ours(after), FileDescriptorProto::getName, breaks::file);
    return breaks.found;
  }

  private static List<FileDescriptorProto> ours(FileDescriptorSet set) {
    return set.getFileList().stream().filter(file -> file.getName().startsWith(OURS)).toList();
  }

  private void file(FileDescriptorProto before, FileDescriptorProto after) {
    String name = before.getName();
    same(name + ": package", before.getPackage(), after.getPackage());
    same(name + ": options", before.getOptions(), after.getOptions());
    each(
        "message",
        before.getMessageTypeList(),
        after.getMessageTypeList(),
        DescriptorProto::getName,
        this::message);
    each(
        "enum",
        before.getEnumTypeList(),
        after.getEnumTypeList(),
        EnumDescriptorProto::getName,
        this::enumeration);
    each(
        "service",
        before.getServiceList(),
        after.getServiceList(),
        ServiceDescriptorProto::getName,
        this::service);
  }

  private void message(DescriptorProto before, DescriptorProto after) {
    String name = before.getName();
    each(
        "field of " + name,
        before.getFieldList(),
        after.getFieldList(),
        field -> String.valueOf(field.getNumber()),
        (old, now) -> field(name, before, old, after, now));
    each(
        "message in " + name,
        before.getNestedTypeList(),
        after.getNestedTypeList(),
        DescriptorProto::getName,
        this::message);
    each(
        "enum in " + name,
        before.getEnumTypeList(),
        after.getEnumTypeList(),
        EnumDescriptorProto::getName,
        this::enumeration);
  }

  private void field(
      String message,
      DescriptorProto in,
      FieldDescriptorProto before,
      DescriptorProto nowIn,
      FieldDescriptorProto after) {
    String field = "field %d of %s: ".formatted(before.getNumber(), message);
    same(field + "name", before.getName(), after.getName());
    same(field + "type", before.getType(), after.getType());
    same(field + "type", before.getTypeName(), after.getTypeName());
    same(field + "label", before.getLabel(), after.getLabel());
    same(field + "presence", before.getProto3Optional(), after.getProto3Optional());
    same(field + "oneof", oneof(in, before), oneof(nowIn, after));
  }

  private static String oneof(DescriptorProto message, FieldDescriptorProto field) {
    return field.hasOneofIndex() ? message.getOneofDecl(field.getOneofIndex()).getName() : "none";
  }

  private void enumeration(EnumDescriptorProto before, EnumDescriptorProto after) {
    each(
        "value of " + before.getName(),
        before.getValueList(),
        after.getValueList(),
        value -> String.valueOf(value.getNumber()),
        (old, now) -> value(before.getName(), old, now));
  }

  private void value(String in, EnumValueDescriptorProto before, EnumValueDescriptorProto after) {
    same(
        "value %d of %s: name".formatted(before.getNumber(), in),
        before.getName(),
        after.getName());
  }

  private void service(ServiceDescriptorProto before, ServiceDescriptorProto after) {
    each(
        "rpc of " + before.getName(),
        before.getMethodList(),
        after.getMethodList(),
        MethodDescriptorProto::getName,
        (old, now) -> rpc(before.getName() + "/" + old.getName(), old, now));
  }

  private void rpc(String name, MethodDescriptorProto before, MethodDescriptorProto after) {
    same(name + ": request", before.getInputType(), after.getInputType());
    same(name + ": response", before.getOutputType(), after.getOutputType());
    same(name + ": client stream", before.getClientStreaming(), after.getClientStreaming());
    same(name + ": server stream", before.getServerStreaming(), after.getServerStreaming());
  }

  private <T> void each(
      String what,
      List<T> before,
      List<T> after,
      Function<T, String> name,
      BiConsumer<T, T> compare) {
    Map<String, T> now = after.stream().collect(toMap(name, thing -> thing));
    for (T old : before) {
      T same = now.get(name.apply(old));
      if (same == null) {
        found.add("%s %s is gone".formatted(what, name.apply(old)));
      } else {
        compare.accept(old, same);
      }
    }
  }

  private void same(String what, Object before, Object after) {
    if (!before.equals(after)) {
      found.add("%s was %s, is %s".formatted(what, oneLine(before), oneLine(after)));
    }
  }

  private static String oneLine(Object value) {
    return String.valueOf(value).strip().replaceAll("\\s+", " ");
  }
}
