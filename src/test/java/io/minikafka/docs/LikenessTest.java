package io.minikafka.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison that holds documents to account must itself tell things apart. */
class LikenessTest {
  private final Likeness likeness = new Likeness();

  @Test
  void sameTextIsAlikeWhateverItsSpaces() {
    assertTrue(likeness.alike("{\n  \"a\": 1\n}", "{ \"a\": 1 }"));
    assertFalse(likeness.alike("{ \"a\": 1 }", "{ \"a\": 2 }"));
    assertFalse(likeness.alike("{ \"a\": 1 }", "{ \"a\": 1, \"b\": 2 }"));
  }

  @Test
  void whatIsAnotherOneEachTimeMayDiffer() {
    assertTrue(
        likeness.alike("in 0.3 s at 2026-01-02T03:04:05Z", "in 12 s at 2027-11-12T13:14:15.5Z"));
    assertTrue(likeness.alike("\"lagTime\": \"5.250s\"", "\"lagTime\": \"6s\""));
    assertFalse(likeness.alike("\"lagTime\": \"5s\"", "\"lagTime\": \"\""));
  }

  @Test
  void whatIsLeftOutMayBeAnything() {
    assertTrue(likeness.alike("[ 1, … 9 ]", "[ 1, 2, 3, 9 ]"));
    assertTrue(likeness.alike("[ 1, … 9 ]", "[ 1, 9 ]"));
    assertFalse(likeness.alike("[ 1, … 9 ]", "[ 1, 2, 3, 8 ]"));
  }

  @Test
  void whatWasGivenIsUsedLater() {
    String documented = "0123456789abcdef0123456789abcdef";
    String today = "ffffffffffffffffffffffffffffffff";
    assertTrue(likeness.alike("\"token\": \"" + documented + "\"", "\"token\": \"" + today + "\""));
    assertEquals("apply " + today, likeness.typed("apply " + documented));
  }

  @Test
  void transcriptIsReadAndWrittenBack() {
    String document =
        "x\n```console\n$ one \\\n    more\nanswer\n\n$ two\n```\ny\n```\n$ not run\n```\n";
    Transcript transcript = new Transcript(document);
    assertEquals(
        List.of("one \\\n    more", "two"),
        transcript.steps().stream().map(Transcript.Step::line).toList());
    assertEquals(document, transcript.with(List.of("answer", "")));
    assertEquals(
        document.replace("answer\n\n$ two\n", "other\n\n$ two\nmore\n"),
        transcript.with(List.of("other", "more")));
  }
}
