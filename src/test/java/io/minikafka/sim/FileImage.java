package io.minikafka.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The content of one file, twice: as processes see it, and as it is on stable storage, with the
 * changes in between. The name says nothing here; see {@link DirectoryImage}.
 */
final class FileImage implements Node {
  private Content seen = new Content();
  private Content stable = new Content();
  private final List<Change> unforced = new ArrayList<>();

  /** Handles on it; its bytes are given back when it has neither name nor handle. */
  int handles;

  /** Names of it, as processes see them. */
  int names;

  private sealed interface Change {}

  private record Write(long position, byte[] bytes) implements Change {}

  private record Cut(int size) implements Change {}

  int size() {
    return seen.size;
  }

  byte[] bytes() {
    return Arrays.copyOf(seen.bytes, seen.size);
  }

  void write(byte[] bytes, long position) {
    seen.write(position, bytes, 0, bytes.length);
    unforced.add(new Write(position, bytes));
  }

  int read(ByteBuffer target, long position) {
    int count = (int) Math.clamp(seen.size - position, 0, target.remaining());
    if (count > 0) {
      target.put(seen.bytes, (int) position, count);
    }
    return count;
  }

  void cut(int size) {
    seen.resize(size);
    unforced.add(new Cut(size));
  }

  void force() {
    for (Change change : unforced) {
      switch (change) {
        case Write write -> stable.write(write.position, write.bytes, 0, write.bytes.length);
        case Cut cut -> stable.resize(Math.min(cut.size, stable.size));
      }
    }
    unforced.clear();
  }

  /** Forces writes but not cuts, as a disk would that forgets what it was told to cut. */
  void forceWritesOnly() {
    for (Change change : unforced) {
      if (change instanceof Write write) {
        stable.write(write.position, write.bytes, 0, write.bytes.length);
      }
    }
    unforced.clear();
  }

  /**
   * A force that fails: some of the pages got there, the others are marked clean and will never be
   * written, though reads go on showing them.
   */
  void failForce(Random random) {
    stable = afterCrash(random);
    unforced.clear();
  }

  /**
   * The machine stops: from now on the file is what had reached the disk, by chance or by force.
   */
  void crash(Random random) {
    stable = afterCrash(random);
    seen = stable.copy();
    unforced.clear();
    handles = 0;
  }

  /**
   * Unforced writes are kept, lost or torn, each on its own and at any byte; a lost one may have
   * made the file longer, then zeros are in its place; a cut is kept or lost.
   */
  private Content afterCrash(Random random) {
    Content result = stable.copy();
    int count = unforced.size();
    if (count == 0) {
      return result;
    }
    int mood = random.nextInt(5);
    int whole = mood == 0 ? 0 : mood == 1 ? count : random.nextInt(count + 1);
    boolean scattered = mood >= 3;
    boolean grows = random.nextInt(3) == 0;
    for (int i = 0; i < count; i++) {
      int fate = scattered ? random.nextInt(4) : i < whole ? 0 : i == whole && mood == 2 ? 1 : 2;
      switch (unforced.get(i)) {
        case Write write -> {
          switch (fate) {
            case 0 -> result.write(write.position, write.bytes, 0, write.bytes.length);
            case 1 -> tear(result, write, random);
            default -> {
              if (grows) {
                long end = write.position + random.nextInt(write.bytes.length + 1);
                result.resize((int) Math.max(result.size, end));
              }
            }
          }
        }
        case Cut cut -> {
          if (fate <= 1) {
            result.resize(Math.min(cut.size, result.size));
          }
        }
      }
    }
    return result;
  }

  private static void tear(Content result, Write write, Random random) {
    int length = write.bytes.length;
    int from = random.nextInt(length + 1);
    int to = random.nextInt(length + 1);
    switch (random.nextInt(3)) {
      case 0 -> result.write(write.position, write.bytes, 0, to);
      case 1 -> result.write(write.position, write.bytes, Math.min(from, to), Math.max(from, to));
      default -> {
        result.write(write.position, write.bytes, 0, Math.min(from, to));
        result.write(write.position, write.bytes, Math.max(from, to), length);
      }
    }
  }

  /**
   * Bytes that grow; what was never written is zero. Copies, and what was written in one piece,
   * share an array until one of them changes: nearly all there is to copy at a crash stays as it
   * is.
   */
  private static final class Content {
    byte[] bytes = new byte[0];
    int size;
    private boolean shared;

    /** The source is not changed any more by whoever passes it. */
    void write(long position, byte[] source, int from, int to) {
      if (from < to) {
        int at = Math.toIntExact(position);
        if (at == 0 && from == 0 && to == source.length && size <= to) {
          bytes = source;
          size = to;
          shared = true;
          return;
        }
        resize(Math.max(size, at + to));
        own();
        System.arraycopy(source, from, bytes, at + from, to - from);
      }
    }

    void resize(int wanted) {
      if (wanted > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(wanted, 2 * bytes.length));
        shared = false;
      }
      if (wanted < size) {
        own();
        Arrays.fill(bytes, wanted, size, (byte) 0);
      }
      size = wanted;
    }

    private void own() {
      if (shared) {
        bytes = bytes.clone();
        shared = false;
      }
    }

    Content copy() {
      Content copy = new Content();
      copy.bytes = bytes;
      copy.size = size;
      copy.shared = true;
      shared = true;
      return copy;
    }
  }
}
