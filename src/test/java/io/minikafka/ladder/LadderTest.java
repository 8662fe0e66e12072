package io.minikafka.ladder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class LadderTest {
  private static final String EXAMPLES = "io.minikafka.ladder.example";

  private final JavaClasses product =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.minikafka");

  @Test
  void everyPackageImportsAndCallsOnlyWhatItsRowAllows() {
    assertEquals("", lines(new Ladder("io.minikafka").violations(product)));
  }

  @Test
  void everyPackageSaysWhatItIsForAndThatNullIsMarked() {
    assertEquals(
        Set.of(),
        product.stream()
            .map(JavaClass::getPackage)
            .filter(found -> !found.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .filter(name -> !name.equals("io.minikafka.admin.v1"))
            .collect(Collectors.toSet()));
  }

  @Test
  void eachKindOfViolationIsFound() {
    JavaClasses examples = new ClassFileImporter().importPackages(EXAMPLES);
    String found = lines(new Ladder(EXAMPLES).violations(examples));
    assertEquals(
        """
        app may not import main.Entrance: app.ImportsMain
        broker may not import io.vertx.core.buffer.Buffer: broker.UsesFrameworks
        broker may not import java.nio.file.Files: broker.UsesFrameworks
        broker may not import java.util.logging.Logger: broker.UsesFrameworks
        client may not import log.ReadsClocks: client.ImportsLog
        codec may not import record.Entry: codec.ImportsRecord
        log may not call Clock.systemUTC (ReadsClocks.java)
        log may not call Instant.now (ReadsClocks.java)
        log may not call InstantSource.system (ReadsClocks.java)
        log may not call System.currentTimeMillis (ReadsClocks.java)
        log may not call System.nanoTime (ReadsClocks.java)
        package attic has no row in the ladder
        partition may not call CompletableFuture.thenApplyAsync (MakesThreads.java)
        partition may not call Executors.newCachedThreadPool (MakesThreads.java)
        partition may not call Thread.<init> (MakesThreads.java)
        partition may not call Thread.ofVirtual (MakesThreads.java)""",
        found.replace(EXAMPLES + ".", "").replaceAll(":\\d+\\)", ")"));
  }

  private static String lines(Iterable<String> lines) {
    return String.join("\n", lines);
  }
}
