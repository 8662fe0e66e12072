package io.minikafka.log;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of a file were written or read lately, and so are probably in the page cache. Lately
 * is measured in bytes: all bytes touched in the data directory advance one clock, and a block
 * counts as hot while the clock has moved by less than the budget since it was touched.
 *
 * <p>Any thread; a guess, so races are let be.
 */
final class HotBlocks {
  /** What the kernel reads ahead by default. */
  static final int BLOCK_BYTES = 128 << 10;

  private final ByteClock clock;

  /** When each block was last touched; 0 is never. Grows with the file. */
  private volatile @Nullable AtomicIntegerArray stamps;

  HotBlocks(ByteClock clock) {
    this.clock = clock;
  }

  void touch(int position, int bytes) {
    if (bytes <= 0) {
      return;
    }
    int now = clock.advance(bytes);
    int last = (position + bytes - 1) / BLOCK_BYTES;
    AtomicIntegerArray array = room(last + 1);
    for (int block = position / BLOCK_BYTES; block <= last; block++) {
      array.setPlain(block, now);
    }
  }

  /** Whether all of it was touched lately. */
  boolean isHot(int position, int bytes) {
    AtomicIntegerArray array = stamps;
    int last = (position + Math.max(bytes, 1) - 1) / BLOCK_BYTES;
    if (array == null || last >= array.length()) {
      return false;
    }
    for (int block = position / BLOCK_BYTES; block <= last; block++) {
      if (!clock.isRecent(array.getPlain(block))) {
        return false;
      }
    }
    return true;
  }

  private AtomicIntegerArray room(int blocks) {
    AtomicIntegerArray array = stamps;
    if (array == null || array.length() < blocks) {
      int length = array == null ? blocks : Math.max(blocks, array.length() * 2);
      AtomicIntegerArray larger = new AtomicIntegerArray(length);
      for (int i = 0; array != null && i < array.length(); i++) {
        larger.setPlain(i, array.getPlain(i));
      }
      stamps = larger;
      return larger;
    }
    return array;
  }
}
