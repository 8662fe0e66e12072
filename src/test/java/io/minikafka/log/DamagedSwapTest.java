package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.ReadResult;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file with the name of a complete compacted segment that is none costs no record. */
class DamagedSwapTest {
  @TempDir Path data;
  KeyedLog log;

  /** The segments that were joined, as they were before, with their indexes. */
  final Map<String, byte[]> originals = new TreeMap<>();

  /** What can be read after the compaction, and with the originals in its place. */
  TreeMap<Long, String> left = new TreeMap<>();

  TreeMap<Long, String> whole = new TreeMap<>();

  OffsetRange range = new OffsetRange(0, 1);
  byte[] compacted = new byte[0];
  final List<String> strangers = new ArrayList<>();
  final List<OffsetRange> damage = new ArrayList<>();
  int damagedRanges;

  private final EngineObserver observer =
      new EngineObserver() {
        @Override
        public void onStranger(String path, String what) {
          strangers.add(path + " " + what);
        }

        @Override
        public void onDamage(PartitionId partition, long from, long to, String what) {
          damage.add(new OffsetRange(from, to));
        }

        @Override
        public void onRecovered(
            PartitionId partition, long end, long scanned, long cut, int damaged) {
          damagedRanges = damaged;
        }
      };

  /** After a clean end the originals lie where they were before the compaction that joined them. */
  @BeforeEach
  void beforeTheSwap() throws IOException {
    log = new KeyedLog(data, KeyedLog.compacting(4096));
    log.bench.worker.hold();
    log.configure(KeyedLog.compacting(300));
    log.append("a=1", "b=1").append("a=2").append("c=1").append("b=2", "a=3").append("d=1");
    log.append("e=1", "f=1").append("g=1", "e=2").append("h=1");
    log.configure(KeyedLog.compacting(4096));
    log.seal();
    Map<String, byte[]> before = new TreeMap<>();
    for (String name : log.names()) {
      before.put(name, Files.readAllBytes(log.bench.partition().resolve(name)));
    }
    log.bench.worker.release();
    left = log.read();
    range = new OffsetRange(0, log.bench.bases().get(1));
    compacted = Files.readAllBytes(log.bench.logFile(0));
    whole = new TreeMap<>(left.tailMap(range.to()));
    whole.putAll(log.written.headMap(range.to()));
    log.store.close();
    log.bench.directory.close();
    for (String name : log.names()) {
      if (isInRange(name)) {
        Files.delete(log.bench.partition().resolve(name));
      }
    }
    before.keySet().removeIf(name -> !isInRange(name));
    originals.putAll(before);
    for (Map.Entry<String, byte[]> file : originals.entrySet()) {
      Files.write(log.bench.partition().resolve(file.getKey()), file.getValue());
    }
    assertTrue(logs().size() >= 3, () -> "originals: " + logs());
    log.bench.observer = observer;
  }

  private boolean isInRange(String name) {
    return name.startsWith("0") && range.holds(Long.parseLong(name.substring(0, 20)));
  }

  private List<String> logs() {
    return originals.keySet().stream().filter(name -> name.endsWith(LogFiles.LOG)).toList();
  }

  private byte[] original(String name) {
    return Objects.requireNonNull(originals.get(name));
  }

  private Path swap() {
    return LogFiles.swap(log.bench.partition(), range);
  }

  private void start(boolean clean) throws IOException {
    if (!clean) {
      Files.delete(LogFiles.checkpoint(data));
      Files.deleteIfExists(LogFiles.previousCheckpoint(data));
    }
    log.bench.directory = log.bench.openDirectory();
    log.bench.worker.hold();
    log.store = log.bench.open(KeyedLog.compacting(4096));
  }

  private byte[] bad(String what) {
    return switch (what) {
      case "empty" -> new byte[0];
      case "cut" -> Arrays.copyOf(compacted, compacted.length - 1);
      case "longer" -> Arrays.copyOf(compacted, compacted.length + 1);
      case "flipped" -> flipped(compacted.length / 2);
      case "foreign" -> foreign();
      case "short" -> Arrays.copyOf(compacted, lastBatch());
      default -> throw new AssertionError(what);
    };
  }

  private byte[] flipped(int position) {
    byte[] flipped = compacted.clone();
    flipped[position] ^= 4;
    return flipped;
  }

  /** As if another partition had written it. */
  private byte[] foreign() {
    byte[] foreign = compacted.clone();
    ByteBuffer in = ByteBuffer.wrap(foreign).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < foreign.length; ) {
      if (!BatchMarker.isMarker(in, at)) {
        at += Entry.bytes(in, at);
        continue;
      }
      BatchMarker marker = BatchMarker.read(in, at);
      BatchMarker.stamp(
          in,
          at,
          marker.baseOffset(),
          marker.logEpoch(),
          marker.appendTime(),
          marker.durableOffset(),
          marker.partitionHash() + 1);
      at += BatchMarker.BYTES + marker.bytes();
    }
    return foreign;
  }

  private int lastBatch() {
    ByteBuffer in = ByteBuffer.wrap(compacted).order(ByteOrder.LITTLE_ENDIAN);
    int last = 0;
    for (int at = 0; at < compacted.length; ) {
      last = at;
      boolean isMarker = BatchMarker.isMarker(in, at);
      at += isMarker ? BatchMarker.BYTES + BatchMarker.read(in, at).bytes() : Entry.bytes(in, at);
    }
    return last;
  }

  @ParameterizedTest
  @CsvSource({
    "empty, true",
    "cut, true",
    "longer, true",
    "flipped, true",
    "foreign, true",
    "short, true",
    "empty, false",
    "cut, false",
    "longer, false",
    "flipped, false",
    "foreign, false",
    "short, false"
  })
  void aSwapThatIsNotWholeIsSetAsideAndItsOriginalsStayTheLog(String what, boolean clean)
      throws IOException {
    Files.write(swap(), bad(what));

    start(clean);

    assertEquals(whole, log.read());
    assertEquals("", log.store.snapshot().offline());
    assertEquals(0, damagedRanges);
    assertFalse(log.names().stream().anyMatch(SegmentSwap::isLeftover));
    assertEquals(1, strangers.size(), () -> "" + strangers);
    assertTrue(strangers.getFirst().startsWith(swap().toString()), strangers.getFirst());
    List<String> aside = log.bench.disk.list(LogFiles.setAside(data));
    assertEquals(1, aside.size());
    assertArrayEquals(
        bad(what), Files.readAllBytes(LogFiles.setAside(data).resolve(aside.getFirst())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noFlippedBitOfASwapCostsARecord(boolean clean) throws IOException {
    for (int position = 0; position < compacted.length; position += 7) {
      Files.write(swap(), flipped(position));

      start(clean);

      int at = position;
      assertEquals(whole, log.read(), () -> "flipped at " + at);
      log.store.close();
      log.bench.directory.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereOriginalsAreGoneTheDamageOfTheSwapIsNamedByTheFirstStart(boolean clean)
      throws IOException {
    for (String name : logs().subList(1, logs().size())) {
      Files.delete(log.bench.partition().resolve(name));
    }
    Files.write(swap(), flipped(lastBatch() + BatchMarker.BYTES + 20));

    start(clean);

    assertEquals(1, damagedRanges);
    OffsetRange bad = damage.getFirst();
    assertTrue(bad.from() > 0 && bad.to() <= range.to(), () -> "" + bad);
    assertEquals("", log.store.snapshot().offline());
    assertEquals(
        new ReadResult.Damaged(bad.from(), bad.to()),
        log.store.read(bad.from(), 1 << 20, true, log.store.snapshot().end()));
    assertEquals(left.tailMap(bad.to()), KeyedLog.read(log.store, bad.to(), 700));
    assertFalse(log.names().stream().anyMatch(SegmentSwap::isLeftover));
    List<String> aside = log.bench.disk.list(LogFiles.setAside(data));
    assertEquals(1, aside.size(), "the original that was left is kept");
    assertArrayEquals(
        original(logs().getFirst()),
        Files.readAllBytes(LogFiles.setAside(data).resolve(aside.getFirst())));
  }

  @ParameterizedTest
  @CsvSource({"empty, true", "foreign, true", "empty, false", "foreign, false"})
  void ofASwapAndOriginalsThatAreBothNotWholeTheOneThatLacksLessIsTheLog(String what, boolean clean)
      throws IOException {
    Files.delete(log.bench.partition().resolve(logs().get(1)));
    long from = Long.parseLong(logs().get(1).substring(0, 20));
    long to = logs().size() > 2 ? Long.parseLong(logs().get(2).substring(0, 20)) : range.to();
    Files.write(swap(), bad(what));

    start(clean);

    assertEquals(List.of(new OffsetRange(from, to)), damage);
    assertEquals(whole.tailMap(to), KeyedLog.read(log.store, to, 700));
    assertEquals("", log.store.snapshot().offline());
  }

  @Test
  void aWholeSwapThatEndsInsideASegmentIsSetAside() throws IOException {
    String last = logs().getLast();
    long base = Long.parseLong(last.substring(0, 20));
    byte[] joined = new byte[0];
    for (String name : logs()) {
      byte[] more = original(name);
      int at = joined.length;
      joined = Arrays.copyOf(joined, at + more.length);
      System.arraycopy(more, 0, joined, at, more.length);
    }
    for (String name : originals.keySet()) {
      if (!name.startsWith(logs().getFirst().substring(0, 20))) {
        Files.delete(log.bench.partition().resolve(name));
      }
    }
    Files.write(log.bench.logFile(0), joined);
    Files.deleteIfExists(LogFiles.offsetIndex(log.bench.partition(), 0));
    Files.deleteIfExists(LogFiles.timeIndex(log.bench.partition(), 0));
    byte[] front = Arrays.copyOf(joined, joined.length - original(last).length);
    Files.write(LogFiles.swap(log.bench.partition(), new OffsetRange(0, base)), front);

    start(true);

    assertEquals(whole, log.read());
    assertEquals(1, log.bench.disk.list(LogFiles.setAside(data)).size());
  }

  private void assertUntouchedOffline() throws IOException {
    byte[] content = Files.readAllBytes(swap());
    Path cleaned = Files.write(LogFiles.cleaned(log.bench.partition(), 7), new byte[3]);
    List<String> names = log.names();

    start(false);

    assertNotEquals("", log.store.snapshot().offline());
    assertEquals(names, log.names());
    assertTrue(Files.exists(cleaned));
    assertArrayEquals(content, Files.readAllBytes(swap()));
    for (Map.Entry<String, byte[]> file : originals.entrySet()) {
      assertArrayEquals(
          file.getValue(), Files.readAllBytes(log.bench.partition().resolve(file.getKey())));
    }
  }

  @Test
  void aSwapThatCannotBeReadTakesThePartitionOffline() throws IOException {
    Files.write(swap(), compacted);
    log.bench.disk.fault =
        (action, path) -> {
          if (path.toString().endsWith(LogFiles.SWAP)) {
            throw new IOException("Input/output error");
          }
        };

    assertUntouchedOffline();
  }

  @Test
  void aSwapOfANewerBrokerTakesThePartitionOffline() throws IOException {
    byte[] newer = compacted.clone();
    ByteBuffer in = ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN);
    in.putShort(lastBatch() + BatchMarker.VERSION_AT, (short) (BatchMarker.VERSION + 1));
    Entry.stampChecksum(in, lastBatch());
    Files.write(swap(), newer);

    assertUntouchedOffline();
    assertTrue(log.store.snapshot().offline().contains("version"));
  }
}
