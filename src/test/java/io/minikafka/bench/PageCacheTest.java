package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class PageCacheTest {
  @TempDir Path dir;

  @Test
  void fileOutOfTheCacheHasTheSameBytes() throws IOException {
    Path file = Files.writeString(dir.resolve("a file"), "some bytes");
    PageCache.ofThisSystem().orElseThrow().drop(file, false);
    assertEquals("some bytes", Files.readString(file));
  }

  @Test
  void fileThatIsNotThereIsNamed() {
    PageCache cache = PageCache.ofThisSystem().orElseThrow();
    Path file = dir.resolve("none");
    IOException failure = assertThrows(IOException.class, () -> cache.drop(file, false));
    assertEquals(file + " could not be opened", failure.getMessage());
  }
}
