package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.codec.Bytes;
import io.minikafka.codec.MalformedException;
import io.minikafka.coordinator.OffsetsLog.Outcome;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.MemoryStore;
import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.ReadResult;
import io.minikafka.record.BatchMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OffsetsLogTest {
  private final List<Outcome> outcomes = new ArrayList<>();

  private static void gather(TestLog log, String... keysAndValues) {
    for (String pair : keysAndValues) {
      String[] both = pair.split("=", 2);
      log.log.gather(TestLog.text(both[0]), both.length == 1 ? null : TestLog.text(both[1]));
    }
  }

  private void append(TestLog log, String... keysAndValues) {
    gather(log, keysAndValues);
    log.log.append(outcomes::add);
  }

  /** Remembers what was replayed as {@code key=value} and {@code key}, and what was missing. */
  private static final class Lines implements Replay.Sink {
    final List<String> lines = new ArrayList<>();

    @Override
    public void replay(Bytes key, Optional<Bytes> value) {
      if (text(key).equals("unknown")) {
        throw new MalformedException("key type 9");
      }
      lines.add(text(key) + value.map(bytes -> "=" + text(bytes)).orElse(""));
    }

    @Override
    public void missing(Replay.Damage damage) {
      lines.add("missing %d to %d".formatted(damage.from(), damage.to()));
    }

    private static String text(Bytes bytes) {
      return new String(bytes.toArray(), StandardCharsets.UTF_8);
    }
  }

  private static List<String> replay(TestLog log) throws IOException {
    Lines lines = new Lines();
    Replay.of(TestLog.partition(log.store), lines, true);
    return lines.lines;
  }

  @Test
  void whatIsGatheredIsOneBatchAndIsReadBackInOrder() throws IOException {
    TestLog log = new TestLog();
    append(log, "a=1", "b=2", "a");
    log.store.force();
    assertEquals(1, log.store.kept.size());
    assertEquals(List.of("a=1", "b=2", "a"), replay(log));
  }

  @Test
  void anAppendIsAnsweredWhenItIsDurable() {
    TestLog log = new TestLog();
    append(log, "a=1");
    assertEquals(List.of(), outcomes);
    log.store.force();
    assertEquals(List.of(new OffsetsLog.Durable()), outcomes);
  }

  @Test
  void whatIsNotDurableIsNotReadBack() throws IOException {
    TestLog log = new TestLog();
    append(log, "a=1");
    log.store.force();
    append(log, "a=2");
    assertEquals(List.of("a=1"), replay(log));
  }

  @Test
  void whatWasDroppedIsNotAppended() throws IOException {
    TestLog log = new TestLog();
    gather(log, "a=1");
    log.log.drop();
    assertEquals(0, log.log.gatheredRecords());
    append(log, "b=2");
    log.store.force();
    assertEquals(List.of("b=2"), replay(log));
  }

  @Test
  void aRefusedAppendSaysWhyAndLeavesNothing() throws IOException {
    TestLog log = new TestLog();
    log.store.forceOnFlush = true;
    log.store.trouble =
        Optional.of(
            () -> {
              throw new NoRoomException("full", new IOException("full"));
            });
    append(log, "a=1");
    log.store.trouble = Optional.empty();
    append(log, "b=2");
    assertTrue(
        outcomes.getFirst() instanceof OffsetsLog.NotDurable refused
            && refused.reason() == Reason.DISK_FULL);
    assertEquals(List.of("b=2"), replay(log));
  }

  @Test
  void aLargeBatchIsReadBackWholeAndItsBufferNotKept() throws IOException {
    TestLog log = new TestLog();
    log.store.forceOnFlush = true;
    String large = "x".repeat(9 << 20);
    append(log, "a=" + large);
    append(log, "b=2");
    assertEquals(List.of("a=" + large, "b=2"), replay(log));
  }

  @Test
  void damageIsNamedWithTheTimeBeforeItAndPassedOver() throws IOException {
    MemoryStore store =
        new MemoryStore() {
          @Override
          public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limit) {
            return offset >= 1 && offset < 3
                ? new ReadResult.Damaged(1, 3)
                : super.read(offset, maxBytes, atLeastOne, limit);
          }
        };
    store.forceOnFlush = true;
    TestLog log = new TestLog(store);
    append(log, "a=1");
    append(log, "b=2", "c=3");
    append(log, "d=4");
    Lines lines = new Lines();
    Replay.Result result = Replay.of(log.partition, lines, false);
    assertEquals(List.of("a=1", "missing 1 to 3", "d=4"), lines.lines);
    assertEquals(List.of(new Replay.Damage(1, 3, TestLog.CLOCK.millis())), result.damage());
    assertEquals(2, result.records());
  }

  @Test
  void aRecordOfAnUnknownKindEndsTheReplayWithItsPlace() {
    TestLog log = new TestLog();
    log.store.forceOnFlush = true;
    append(log, "a=1", "unknown=2", "b=3");
    IOException refused = assertThrows(IOException.class, () -> replay(log));
    assertEquals(
        "the offsets log holds a record at offset 1 that this build cannot read (key type 9); a"
            + " newer one wrote it. Nothing was changed",
        refused.getMessage());
  }

  @Test
  void aFlippedBitCostsTheRestOfItsBatch() throws IOException {
    TestLog log = new TestLog();
    log.store.forceOnFlush = true;
    append(log, "a=1");
    append(log, "b=2", "c=3");
    append(log, "d=4");
    flip(log.store.kept.get(1).bytes(), -1);
    assertEquals(List.of("a=1", "b=2", "missing 2 to 3", "d=4"), replay(log));
  }

  @Test
  void aMarkerThatIsCorruptEndsTheReplayWithItsPlace() {
    TestLog log = new TestLog();
    log.store.forceOnFlush = true;
    append(log, "a=1");
    append(log, "b=2", "c=3");
    flip(log.store.kept.get(1).bytes(), BatchMarker.BYTES - 1);
    IOException refused = assertThrows(IOException.class, () -> replay(log));
    assertTrue(String.valueOf(refused.getMessage()).contains("offset 1"), refused::toString);
  }

  /**
   * @param at from the end if negative
   */
  private static void flip(ByteBuffer bytes, int at) {
    int index = at < 0 ? bytes.limit() + at : at;
    bytes.put(index, (byte) (bytes.get(index) ^ 1));
  }
}
