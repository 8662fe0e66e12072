package io.minikafka.it;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that lost a Netty buffer: {@code @ExtendWith(BufferLeaks.class)}, on every
 * class that moves frames inside this JVM.
 *
 * <p>Netty's detector finds a lost buffer when it has been collected and another one is allocated,
 * and can only log it; so this listens to its log, and provokes both after the last test. The
 * detector must be at {@code paranoid}, which the build sets.
 */
public final class BufferLeaks implements BeforeAllCallback, AfterAllCallback {
  private static final Logger DETECTOR = Logger.getLogger(ResourceLeakDetector.class.getName());

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

  private final Reports reports = new Reports();

  @Override
  public void beforeAll(ExtensionContext context) {
    listen();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    List<String> leaks = stopListening();
    if (!leaks.isEmpty()) {
      throw new AssertionError("Netty buffers were lost:\n" + String.join("\n", leaks));
    }
  }

  /** From now on losses are noted. */
  void listen() {
    if (ResourceLeakDetector.getLevel() != ResourceLeakDetector.Level.PARANOID) {
      throw new IllegalStateException(
          "leak detection is " + ResourceLeakDetector.getLevel() + ", must be PARANOID");
    }
    DETECTOR.addHandler(reports);
    DETECTOR.setUseParentHandlers(false); // The failure tells it, once.
  }

  /**
   * What was lost since {@link #listen}. Loses one more buffer by intent and waits until that one
   * is found: then the collector has also seen those lost before it.
   */
  List<String> stopListening() {
    String canary = "canary " + UUID.randomUUID();
    lose(canary);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!reports.hold(canary) && System.nanoTime() < end) {
      System.gc();
      provoke();
    }
    boolean sang = reports.hold(canary);
    provoke();
    DETECTOR.removeHandler(reports);
    DETECTOR.setUseParentHandlers(true);
    if (!sang) {
      throw new IllegalStateException("the leak detector finds nothing within " + LIMIT);
    }
    return reports.lines.stream().filter(line -> !line.contains(canary)).toList();
  }

  private static void lose(String hint) {
    ALLOCATOR.directBuffer(16).touch(hint);
  }

  private static void provoke() {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      buffers.add(ALLOCATOR.directBuffer(16));
      buffers.add(ALLOCATOR.heapBuffer(16));
    }
    buffers.forEach(ByteBuf::release);
  }

  private static final class Reports extends Handler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    boolean hold(String text) {
      return lines.stream().anyMatch(line -> line.contains(text));
    }

    @Override
    public void publish(LogRecord record) {
      if (String.valueOf(record.getMessage()).contains("LEAK")) {
        lines.add(record.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
