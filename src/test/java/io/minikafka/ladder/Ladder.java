package io.minikafka.ladder;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The table of packages: what each may import besides {@code java.*}, and what the engine may not
 * take from {@code java.*} either.
 *
 * <p>Looks at classes below a base package, so that the same table judges the product and the bad
 * examples of its own test.
 */
final class Ladder {
  /** The package that protoc generates from proto/. */
  private static final String STUBS = "admin.v1";

  private static final String ROOT = "";
  private static final String ANYTHING = "";
  private static final String[] WORDS = {ROOT, "codec"};
  private static final String[] FORMATS = {ROOT, "codec", "record", "protocol"};
  private static final String[] STORE = {ROOT, "codec", "record", "protocol", "storage"};
  private static final String[] GRPC = {"io.grpc.", "com.google.protobuf.", "com.google.common."};
  private static final String[] CDI = {"jakarta.", "io.quarkus.", "org.eclipse.microprofile."};

  /** One row for each package; top to bottom is the way of a record. */
  private static final List<Rung> RUNGS =
      List.of(
          rung(ROOT),
          rung("codec"),
          rung("record").on(WORDS),
          rung("protocol").on(WORDS),
          rung("storage").on(WORDS),
          rung("partition").on(WORDS).on("record"),
          rung("log").on(WORDS).on("record", "storage", "partition"),
          rung("group").on(WORDS),
          rung("topic").on(STORE).on("partition"),
          // These two know partitions by offset only: no file, path or position, no local store.
          rung("coordinator").on(FORMATS).on("partition", "group"),
          rung("broker").on(FORMATS).on("partition", "group", "topic", "coordinator"),
          rung("net").on(STORE).on("partition", "broker").using("io.vertx.core.", "io.netty."),
          rung(STUBS).using(GRPC).using(CDI).using("io.smallrye.mutiny."),
          rung("admin")
              .on(STORE)
              .on("partition", "log", "group", "topic", "coordinator", "broker", STUBS)
              .using(GRPC)
              .using("com.google.rpc.", "grpc.health.v1.", "io.vertx.core.", "io.vertx.ext.web.")
              .using(CDI)
              .using("io.smallrye.mutiny.", "io.smallrye.common.annotation."),
          rung("ops")
              .on(STORE)
              .on("partition", "log", "group", "topic", "coordinator", "broker")
              .using(CDI)
              .using("io.micrometer.core."),
          rung("app")
              .on(STORE)
              .on(
                  "partition",
                  "log",
                  "group",
                  "topic",
                  "coordinator",
                  "broker",
                  "net",
                  "admin",
                  "ops")
              .using(CDI)
              .using("io.smallrye.config.", "io.vertx.core.", "io.micrometer.core.")
              .using("org.jboss.logging.", "com.sun.management."),
          rung("client").on(WORDS).on("record", "protocol"),
          rung("bench")
              .on(WORDS)
              .on("record", "protocol", "client")
              .using("org.HdrHistogram.", "com.sun.management."),
          // In a process of its own, with java.desktop; nobody imports it.
          rung("bench.report").on(WORDS).on("bench").using("org.knowm.xchart."),
          rung("cli")
              .on(STORE)
              .on("partition", "log", "client", "bench", STUBS)
              .using(GRPC)
              .using("picocli.", "com.fasterxml.jackson.core.", "com.google.rpc."),
          rung("main")
              .on(STORE)
              .on("partition", "log", "group", "topic", "coordinator", "broker", "net", "admin")
              .on("ops", "app", "client", "bench", "cli", STUBS)
              .using(ANYTHING));

  /** Everything below {@code app} on the server's side: no thread, no clock, no framework's log. */
  private static final List<String> ENGINE =
      List.of(
          ROOT,
          "codec",
          "record",
          "protocol",
          "storage",
          "partition",
          "log",
          "group",
          "topic",
          "coordinator",
          "broker",
          "net",
          "admin",
          "ops");

  /** Where files may be touched: the disk's own package, and the sender of file regions. */
  private static final List<String> MAY_TOUCH_FILES = List.of("storage", "net");

  private static final List<String> FILES =
      List.of(
          "java.nio.file.Files",
          "java.nio.channels.FileChannel",
          "java.io.File",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.FileReader",
          "java.io.FileWriter",
          "java.io.RandomAccessFile");

  private final String base;

  /**
   * @param base the package that holds the rungs, without a final dot
   */
  Ladder(String base) {
    this.base = base;
  }

  /** One line for each import, call or package that the table does not allow. */
  SortedSet<String> violations(JavaClasses classes) {
    SortedSet<String> found = new TreeSet<>();
    for (JavaClass from : classes) {
      if (!isOurs(from.getPackageName())) {
        continue;
      }
      Optional<Rung> rung = rungOf(from.getPackageName());
      if (rung.isEmpty()) {
        found.add("package " + from.getPackageName() + " has no row in the ladder");
        continue;
      }
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if (!to.isPrimitive() && !allows(rung.get(), to)) {
          found.add(rung.get().title() + " may not import " + to.getName() + ": " + topLevel(from));
        }
      }
      if (ENGINE.contains(rung.get().name)) {
        ForbiddenCalls.madeBy(from)
            .forEach(call -> found.add(rung.get().title() + " may not call " + call));
      }
    }
    return found;
  }

  private boolean allows(Rung rung, JavaClass to) {
    String target = to.getPackageName();
    if (isOurs(target)) {
      Optional<Rung> other = rungOf(target);
      return other.isPresent()
          && (other.get().equals(rung) || rung.imports.contains(other.get().name));
    }
    if (ENGINE.contains(rung.name)) {
      boolean file = FILES.contains(to.getName());
      if ((file && !MAY_TOUCH_FILES.contains(rung.name)) || target.equals("java.util.logging")) {
        return false;
      }
    }
    return target.startsWith("java.")
        || target.equals("org.jspecify.annotations")
        || rung.libraries.stream().anyMatch((target + ".")::startsWith);
  }

  private boolean isOurs(String packageName) {
    return packageName.equals(base) || packageName.startsWith(base + ".");
  }

  /** The row of a package is the longest name that is it or encloses it; the root has no inside. */
  private Optional<Rung> rungOf(String packageName) {
    String name = packageName.equals(base) ? ROOT : packageName.substring(base.length() + 1);
    if (name.equals(ROOT)) {
      return Optional.of(RUNGS.getFirst());
    }
    return RUNGS.stream()
        .filter(rung -> !rung.name.equals(ROOT))
        .filter(rung -> name.equals(rung.name) || name.startsWith(rung.name + "."))
        .max((a, b) -> Integer.compare(a.name.length(), b.name.length()));
  }

  private static String topLevel(JavaClass type) {
    return type.getEnclosingClass().map(Ladder::topLevel).orElse(type.getName());
  }

  private static Rung rung(String name) {
    return new Rung(name, List.of(), List.of());
  }

  /** What one package may import: rungs by name, libraries by the start of their package. */
  private record Rung(String name, List<String> imports, List<String> libraries) {
    Rung on(String... more) {
      return new Rung(name, joined(imports, more), libraries);
    }

    Rung using(String... more) {
      return new Rung(name, imports, joined(libraries, more));
    }

    String title() {
      return name.equals(ROOT) ? "the root" : name;
    }

    private static List<String> joined(List<String> some, String... more) {
      return Stream.concat(some.stream(), Arrays.stream(more)).toList();
    }
  }
}
