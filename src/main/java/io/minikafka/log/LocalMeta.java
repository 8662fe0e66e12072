package io.minikafka.log;

import io.minikafka.partition.MetaStore;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import io.minikafka.storage.ForceFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Small named values, each in a file of its own that is replaced as a whole.
 *
 * <pre>
 * u32 magic "MKM1" · u16 layout version 1 · u16 0 · u64 version of the value · u32 length · value · u32 crc32c
 * </pre>
 *
 * <p>Any thread; one replacement at a time.
 */
final class LocalMeta implements MetaStore {
  /** "MKM1" read as a little-endian word. */
  static final int MAGIC = 'M' | 'K' << 8 | 'M' << 16 | '1' << 24;

  private static final int LAYOUT_VERSION = 1;
  private static final int HEAD_BYTES = 20;

  private final Disk disk;
  private final Path directory;
  private final Reserve reserve;
  private final BiConsumer<String, Throwable> onForceFailure;

  /**
   * @param reserve given up for what lets room be made on a full disk
   * @param onForceFailure told what could not be forced
   */
  LocalMeta(
      Disk disk, Path directory, Reserve reserve, BiConsumer<String, Throwable> onForceFailure) {
    this.disk = disk;
    this.directory = directory;
    this.reserve = reserve;
    this.onForceFailure = onForceFailure;
  }

  @Override
  public Optional<Versioned> read(String name) throws IOException {
    Path file = file(name);
    Optional<ByteBuffer> content = AtomicFile.read(disk, file);
    return content.isEmpty() ? Optional.empty() : Optional.of(decode(file, content.get()));
  }

  @Override
  public boolean replace(String name, ByteBuffer value, long expectedVersion) throws IOException {
    return replace(name, value, expectedVersion, Reserve.Task::run);
  }

  @Override
  public boolean replaceFromReserve(String name, ByteBuffer value, long expectedVersion)
      throws IOException {
    return replace(name, value, expectedVersion, reserve::runMakingRoom);
  }

  /** How a replacement is carried out. */
  private interface Way {
    void run(Reserve.Task replacement) throws IOException;
  }

  private synchronized boolean replace(String name, ByteBuffer value, long expectedVersion, Way way)
      throws IOException {
    long version = read(name).map(Versioned::version).orElse(0L);
    if (version != expectedVersion) {
      return false;
    }
    disk.createDirectories(directory);
    ByteBuffer content = encode(value, version + 1);
    try {
      way.run(() -> AtomicFile.replace(disk, file(name), content.duplicate()));
    } catch (ForceFailedException e) {
      onForceFailure.accept(file(name).toString(), e);
      throw e;
    }
    return true;
  }

  @Override
  public String place(String name) {
    return file(name).toString();
  }

  private Path file(String name) {
    if (!name.matches("[a-z0-9][a-z0-9-]{0,99}")) {
      throw new IllegalArgumentException("no name of a value: " + name);
    }
    return directory.resolve(name);
  }

  private static ByteBuffer encode(ByteBuffer value, long version) {
    int length = value.remaining();
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + length + TrailingCrc.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC)
        .putShort((short) LAYOUT_VERSION)
        .putShort((short) 0)
        .putLong(version)
        .putInt(length)
        .put(value.duplicate());
    return TrailingCrc.seal(out);
  }

  private static Versioned decode(Path file, ByteBuffer content) throws IOException {
    ByteBuffer in = content.slice().order(ByteOrder.LITTLE_ENDIAN);
    int bytes = in.remaining();
    if (bytes < HEAD_BYTES + TrailingCrc.BYTES) {
      throw new IOException("%s is damaged: %d bytes are too few".formatted(file, bytes));
    }
    if (in.getInt(0) != MAGIC) {
      throw new IOException("%s is damaged: it does not begin with MKM1".formatted(file));
    }
    if (!TrailingCrc.holds(in)) {
      throw new IOException("%s is damaged: its checksum does not match".formatted(file));
    }
    int layout = in.getShort(4) & 0xffff;
    if (layout != LAYOUT_VERSION) {
      throw new IOException(
          "%s has layout version %d, this broker knows %d: a newer broker wrote it"
              .formatted(file, layout, LAYOUT_VERSION));
    }
    int length = in.getInt(16);
    if (length != bytes - HEAD_BYTES - TrailingCrc.BYTES) {
      throw new IOException("%s is damaged: its length does not match".formatted(file));
    }
    return new Versioned(in.slice(HEAD_BYTES, length), in.getLong(8));
  }
}
