package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.admin.v1.PartitionReset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetFileTest {
  @TempDir Path dir;

  private List<String> read(String text) throws IOException {
    return OffsetFile.read(Files.writeString(dir.resolve("f"), text), "g").stream()
        .map(one -> "%s %d %d".formatted(one.getTopic(), one.getPartition(), one.getOffset()))
        .toList();
  }

  private String refused(String text) {
    String message = String.valueOf(assertThrows(IOException.class, () -> read(text)).getMessage());
    return message.replace(dir.resolve("f").toString(), "f");
  }

  @Test
  void linesNameTopicPartitionAndOffset() throws IOException {
    assertEquals(
        List.of("t 0 17", "a.b-c 12 0"),
        read("# saved on Monday\n\nt 0 17\n  a.b-c\t12   0  # the first\n"));
  }

  @Test
  void whatAResetPrintsIsReadBack() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PartitionReset.Builder reset =
        PartitionReset.newBuilder().setTopic("t").setPartition(1).setOldOffset(5);
    Json.line(
        out,
        json ->
            ResetOutput.json(
                json,
                List.of(
                    reset.clone().setNewOffset(9).addWarnings("{\"offset\": 3}").build(),
                    reset.setPartition(2).clearNewOffset().build()),
                List.of("x")));
    assertEquals(List.of("t 1 9"), read(out.toString(StandardCharsets.UTF_8)));
  }

  @Test
  void objectsWithAnOffsetAreFoundWhereverTheyStand() throws IOException {
    assertEquals(
        List.of("t 0 7", "t 1 9223372036854775807", "u 0 3", "v 0 1"),
        read(
            """
            {"topic":"t","partition":0,"logStartOffset":0,"committedOffset":7,"lagRecords":1}
            {"topic":"t","partition":1,"committedOffset":9223372036854775807}
            {"topic":"t","partition":2,"logStartOffset":0}
            {"group":"g","offsets":[{"topic":"u","partition":0,"offset":3,"metadata":"m"}],
             "deep":{"er":[[{"topic":"v","partition":0,"newOffset":1,"oldOffset":9}]]}}
            """));
    assertEquals(List.of("t 0 1"), read("[{\"topic\":\"t\",\"partition\":0,\"offset\":1}]"));
  }

  @Test
  void largeNumbersMayStandInQuotes() throws IOException {
    assertEquals(
        List.of("t 0 7"), read("{\"topic\":\"t\",\"partition\":0,\"committedOffset\":\"7\"}"));
  }

  @Test
  void objectWithAnOffsetThatIsNoneIsRefused() {
    assertEquals(
        "f: newOffset of topic t is '1.5', must be a whole number, 0 or more",
        refused("{\"topic\":\"t\",\"partition\":0,\"newOffset\":1.5}"));
    assertEquals(
        "f: offset of topic t is '-1', must be a whole number, 0 or more",
        refused("{\"topic\":\"t\",\"partition\":0,\"offset\":-1}"));
    assertEquals(
        "f: partition of topic t is missing, must be a whole number, 0 or more",
        refused("{\"topic\":\"t\",\"offset\":1}"));
  }

  @Test
  void nestingWithoutEndIsRefusedInWords() {
    assertTrue(refused("[".repeat(5000)).startsWith("f"), () -> refused("[".repeat(5000)));
  }

  @Test
  void commasMayStandBetweenAsInFilesOfKafka() throws IOException {
    assertEquals(List.of("t 0 17", "u 1 0"), read("t,0,17\nu, 1, 0\n"));
  }

  @Test
  void twoOffsetsOfAPartitionAreRefusedAndOneThatIsSaidTwiceIsNot() throws IOException {
    assertEquals(List.of("t 0 1"), read("t 0 1\nt 0 1\n"));
    assertEquals("f names two offsets of t-0: 1 and 2", refused("t 0 1\nu 0 1\nt 0 2\n"));
  }

  @Test
  void ofOffsetsOfSeveralGroupsThoseOfTheGroupCount() throws IOException {
    String two =
        """
        {"group":"f","partitions":[{"topic":"t","partition":0,"committedOffset":1}]}
        {"group":"%s","partitions":[{"topic":"t","partition":0,"committedOffset":2}]}
        """;
    assertEquals(List.of("t 0 2"), read(two.formatted("g")));
    assertEquals("f has offsets of 2 groups, and none of 'g'", refused(two.formatted("h")));
    assertEquals(
        List.of("t 0 1"),
        read("{\"group\":\"f\",\"topic\":\"t\",\"partition\":0,\"committedOffset\":1}"),
        "who copies from another group says so with the file");
  }

  @Test
  void missingFileIsSaidToBeMissing() {
    assertThrows(NoSuchFileException.class, () -> OffsetFile.read(dir.resolve("nowhere"), "g"));
  }

  @Test
  void whatIsNeitherIsRefusedByTheLine() {
    assertEquals("f, line 2: 't 0' is not 'topic partition offset'", refused("t 0 1\nt 0\n"));
    assertEquals("f, line 1: 't 0 -1' is not 'topic partition offset'", refused("t 0 -1"));
    assertEquals("f names no offset", refused("# nothing\n"));
    assertEquals("f names no offset", refused("{\"topic\":\"t\"}"));
    assertEquals("f, line 2", refused("{\"topic\":\n}").substring(0, 9));
    assertEquals("f, line 1", refused("{\"topic\"").substring(0, 9));
  }
}
