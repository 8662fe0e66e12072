package io.minikafka.ladder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
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
    assertEquals(
        lines(List.of("app may not import main.Entrance: app.ImportsMain")),
        lines(new Ladder(EXAMPLES).violations(examples)).replace(EXAMPLES + ".", ""));
  }

  private static String lines(Iterable<String> lines) {
    return String.join("\n", lines);
  }
}
