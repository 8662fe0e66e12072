package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferLeaksTest {
  @Test
  void bufferThatIsNeverReleasedIsFound() {
    assertEquals(1, leaksOf(() -> PooledByteBufAllocator.DEFAULT.directBuffer(64)).size());
  }

  @Test
  void bufferThatIsReleasedIsNot() {
    assertEquals(
        List.of(), leaksOf(() -> PooledByteBufAllocator.DEFAULT.directBuffer(64).release()));
  }

  private static List<String> leaksOf(Runnable use) {
    BufferLeaks leaks = new BufferLeaks();
    leaks.listen();
    use.run();
    return leaks.stopListening();
  }
}
