package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

class ClientJarIT {
  @Test
  void holdsTheFivePackagesAndNothingElse() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("it.client.jar"))) {
      List<String> strangers =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(ZipEntry::getName)
              .filter(name -> !name.equals("META-INF/MANIFEST.MF"))
              .filter(
                  name ->
                      !name.matches(
                          "io/minikafka/((codec|record|protocol|client)/.+|[^/]+\\.class)"))
              .toList();
      assertEquals(List.of(), strangers);
    }
  }
}
