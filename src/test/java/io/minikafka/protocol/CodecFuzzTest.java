package io.minikafka.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Codec;
import io.minikafka.codec.MalformedException;
import io.minikafka.protocol.FrameExamples.Example;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Garbage into every codec. {@code -Dseed=n} repeats one round.
 *
 * <p>What comes out is a value or a MalformedException, and the memory it took is in proportion to
 * the bytes that came in, whatever they claim.
 */
class CodecFuzzTest {
  /**
   * An empty string of four bytes costs a view of the frame, a reference, and the list's growth.
   */
  private static final int ALLOCATED_PER_BYTE = 24;

  private static final int ALLOCATED_ANYWAY = 64 << 10;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void randomBytesAreAValueOrMalformed() {
    forEachSeed(
        (seed, random) -> {
          byte[] bytes = new byte[random.nextInt(200)];
          random.nextBytes(bytes);
          // Mostly small numbers: they get further than counts of billions.
          for (int i = 0; i < bytes.length; i++) {
            if (random.nextInt(3) > 0) {
              bytes[i] = (byte) random.nextInt(3);
            }
          }
          for (Codec<?> codec : codecs()) {
            read(codec, bytes, seed);
          }
        });
  }

  @Test
  void damagedMessagesAreAValueOrMalformed() {
    forEachSeed(
        (seed, random) -> {
          for (Example<?> example : FrameExamples.ALL) {
            byte[] bytes = body(example);
            if (bytes.length == 0) {
              continue;
            }
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
              bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            read(example.codec(), bytes, seed);
          }
        });
  }

  @Test
  void messagesCutShortAnywhereAreMalformed() {
    for (Example<?> example : FrameExamples.ALL) {
      byte[] whole = body(example);
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        boolean accepted = read(example.codec(), cut, 0);
        assertTrue(!accepted, example.name() + " cut to " + length);
      }
    }
  }

  @Test
  void honestListsOfTheSmallestElementsStayInProportion() {
    // A metadata request of as many empty names as fit.
    byte[] bytes = new byte[1 << 20];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt((bytes.length - 4) / 4);
    assertTrue(read(Metadata.V1.request(), bytes, 0));
  }

  private static List<Codec<?>> codecs() {
    List<Codec<?>> codecs = new ArrayList<>();
    for (Call<?, ?> call : Calls.ALL) {
      codecs.add(call.request());
      codecs.add(call.response());
    }
    codecs.add(Frames.Failure.CODEC);
    return codecs;
  }

  private static <T> byte[] body(Example<T> example) {
    return FrameExamples.array(BufferSink.encode(example.codec(), example.value()));
  }

  /** Whether the bytes were a value. Anything but a MalformedException fails the test. */
  private boolean read(Codec<?> codec, byte[] bytes, long seed) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long before = threads.getCurrentThreadAllocatedBytes();
    boolean accepted;
    try {
      codec.readAll(in);
      accepted = true;
    } catch (MalformedException e) {
      accepted = false;
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    long allowed = ALLOCATED_ANYWAY + (long) ALLOCATED_PER_BYTE * bytes.length;
    assertTrue(
        allocated <= allowed,
        () ->
            "seed %d: %d bytes made %s allocate %d"
                .formatted(seed, bytes.length, codec.layout(), allocated));
    return accepted;
  }

  private interface Round {
    void play(long seed, SplittableRandom random);
  }

  private static void forEachSeed(Round round) {
    long first = Long.getLong("seed", 1);
    int rounds = System.getProperty("seed") == null ? 3000 : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      try {
        round.play(seed, new SplittableRandom(seed));
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
