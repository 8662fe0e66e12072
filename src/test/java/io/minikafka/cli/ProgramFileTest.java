package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFileTest {
  @TempDir Path dir;

  @Test
  void programLiesBesideTheDirectoryOfItsJar() throws Exception {
    Path program = Files.createFile(dir.resolve("minikafka"));
    assertTrue(program.toFile().setExecutable(true));
    String jar = dir.resolve("quarkus-app").resolve("quarkus-run.jar").toString();
    assertEquals(Optional.of(program), ProgramFile.find(jar));
  }

  @Test
  void withoutAProgramThereOrWithAnotherClassPathThereIsNone() {
    String jar = dir.resolve("quarkus-app").resolve("quarkus-run.jar").toString();
    assertEquals(Optional.empty(), ProgramFile.find(jar));
    assertEquals(Optional.empty(), ProgramFile.find("target/classes:lib/a.jar"));
    assertEquals(Optional.empty(), ProgramFile.find(""));
  }
}
