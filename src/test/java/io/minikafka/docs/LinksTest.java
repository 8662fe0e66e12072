package io.minikafka.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of README and the documents leads somewhere. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");

  @Test
  void everyRelativeLinkLeadsSomewhere() throws IOException {
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      for (MatchResult link : LINK.matcher(Files.readString(document)).results().toList()) {
        String target = link.group(1);
        if (target.contains("://")) {
          continue;
        }
        links++;
        if (!Files.exists(document.resolveSibling(target))) {
          dead.add(document + ": " + target);
        }
      }
    }
    assertTrue(links > 5, "only " + links + " links found");
    assertEquals(List.of(), dead);
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("docs"))) {
      List<Path> documents = new ArrayList<>(files.filter(Files::isRegularFile).toList());
      documents.add(Path.of("README.md"));
      return documents;
    }
  }
}
