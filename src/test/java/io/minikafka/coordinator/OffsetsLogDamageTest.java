package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupResult;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.MemoryStore;
import io.minikafka.record.BatchMarker;
import io.minikafka.sim.SimClock;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of the offsets log that changed after a clean end, which the next start does not read. */
class OffsetsLogDamageTest {
  private static final int COMMITS = 100;

  @TempDir Path dir;
  private final SimClock clock = new SimClock();

  private Life life() throws IOException {
    return new Life(new LocalDisk(), dir, () -> false, clock, 1, List.of());
  }

  private static void end(Life life) throws IOException {
    life.coordinator.stop();
    life.run();
    life.topics.close();
    life.run();
    life.logs.close();
  }

  /** Ends clean, with a byte of the offsets log flipped afterwards. */
  private void hit(int inBatch) throws IOException {
    Life life = life();
    assertTrue(life.start());
    life.makeTopic();
    for (int i = 1; i <= COMMITS; i++) {
      commit(life, "hit", i);
      commit(life, "whole", i);
    }
    long middle = life.offsetsLog().snapshot().end() / 2;
    end(life);
    Path file = file();
    byte[] bytes = Files.readAllBytes(file);
    bytes[batchAt(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), middle) + inBatch] ^= 1;
    Files.write(file, bytes);
  }

  /** Position of the batch that begins at an offset: each holds one record here. */
  private static int batchAt(ByteBuffer bytes, long offset) {
    for (int at = 0; at < bytes.limit() - BatchMarker.BYTES; at++) {
      if (bytes.getLong(at + BatchMarker.BASE_OFFSET) == offset
          && bytes.getInt(at + BatchMarker.SPAN) == 1) {
        return at;
      }
    }
    throw new AssertionError("no batch at offset " + offset);
  }

  /** The one with the commits; those of the topic hold a thousand records in a batch. */
  private Path file() throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      List<Path> found = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith("0.log")).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("whole")) {
          found.add(file);
        }
      }
      assertEquals(1, found.size(), found::toString);
      return found.getFirst();
    }
  }

  private static void commit(Life life, String group, long offset) {
    GroupEvent.CommitPart part = new GroupEvent.CommitPart(life.partition(0), 0, offset, 0, "");
    List<GroupReply> replies = new ArrayList<>();
    life.coordinator.ask(
        1,
        ticket ->
            new GroupEvent.Commit(ticket, 1, group, "", List.of(part), life.coordinator.logEnds()),
        replies::add);
    life.run();
    assertInstanceOf(GroupReply.Answered.class, replies.getFirst());
  }

  private static long committed(Life life, String group) {
    AtomicLong found = new AtomicLong(-1);
    life.coordinator.ask(
        1,
        ticket -> new GroupEvent.FetchOffsets(ticket, group, List.of(life.partition(0))),
        reply -> {
          if (reply instanceof GroupReply.Answered(GroupResult.Offsets(var offsets))) {
            found.set(offsets.getFirst().commit().orElseThrow().offset());
          }
        });
    life.run();
    return found.get();
  }

  private static List<Status.Missing> missing(Life life) {
    return assertInstanceOf(Status.Serving.class, life.coordinator.status()).loaded().missing();
  }

  /** In this life and the next. */
  private void isNamedAndPassedOver() throws IOException {
    for (int i = 0; i < 2; i++) {
      Life life = life();
      assertTrue(life.start());
      assertEquals(COMMITS, committed(life, "hit"));
      assertEquals(COMMITS, committed(life, "whole"));
      assertEquals(1, missing(life).size());
      assertTrue(missing(life).getFirst().groups().containsAll(List.of("hit", "whole")));
      DamagedRange known = life.offsetsLog().damage().getFirst();
      assertEquals(missing(life).getFirst().from(), known.from());
      assertEquals(missing(life).getFirst().to(), known.to());
      assertEquals(1, known.to() - known.from());
      end(life);
    }
  }

  @Test
  void aMarkerHitAfterACleanEndIsNamedDamageAndGroupsAreServed() throws IOException {
    hit(BatchMarker.SPAN + 5);
    isNamedAndPassedOver();
  }

  @Test
  void aRecordHitAfterACleanEndIsNamedDamageAndGroupsAreServed() throws IOException {
    hit(BatchMarker.BYTES + 20);
    isNamedAndPassedOver();
  }

  @Test
  void corruptBytesThatACheckDoesNotFindLeaveGroupsUnservedAndItIsSaid() {
    MemoryStore store = new MemoryStore();
    Rig rig = new Rig(store).started();
    rig.commit("g", 0, 7);
    ByteBuffer bytes = store.kept.getLast().bytes();
    bytes.put(BatchMarker.BYTES - 1, (byte) (bytes.get(BatchMarker.BYTES - 1) ^ 1));
    Rig next = new Rig(store, rig.topics.again(store));
    next.start();
    String reason = assertInstanceOf(Status.Unavailable.class, next.coordinator.status()).reason();
    assertTrue(reason.startsWith("the offsets log cannot be read: corrupt entry at"), reason);
    assertTrue(reason.endsWith("a check of all bytes of that log names no damage there"), reason);
  }
}
