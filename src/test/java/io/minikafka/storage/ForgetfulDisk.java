package io.minikafka.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One directory of small files in memory, of which a power failure leaves what the contract of
 * {@link Disk} promises, or more, as the test's luck has it. The power fails before the step the
 * test chose.
 */
final class ForgetfulDisk implements Disk {
  /** The power has failed; nothing answers any more. */
  static final class PowerFailure extends IOException {
    private static final long serialVersionUID = 1;
  }

  private static final class Content {
    byte[] now = {};
    byte[] forced = {};
  }

  /** What survives of everything that was not promised. */
  enum Luck {
    /** Only what was forced. */
    NONE,
    /** Names that were not forced, with content that was. */
    NAMES,
    /** Names, and half of the content. */
    NAMES_AND_HALF,
    /** All of it. */
    ALL
  }

  private final Map<Path, Content> names = new TreeMap<>();
  private Map<Path, Content> forcedNames = new TreeMap<>();
  private int stepsLeft = Integer.MAX_VALUE;
  int steps;

  /** The power fails before the step of this number, counted from now. */
  void failBefore(int step) {
    steps = 0;
    stepsLeft = step;
  }

  /** What is there when the power is back. */
  void restart(Luck luck) {
    stepsLeft = Integer.MAX_VALUE;
    Map<Path, Content> left = new TreeMap<>(luck == Luck.NONE ? forcedNames : names);
    for (Content content : left.values()) {
      byte[] survives =
          switch (luck) {
            case NONE, NAMES -> content.forced;
            case NAMES_AND_HALF ->
                content.now == content.forced
                    ? content.forced
                    : Arrays.copyOf(content.now, content.now.length / 2);
            case ALL -> content.now;
          };
      content.now = survives;
      content.forced = survives;
    }
    names.clear();
    names.putAll(left);
    forcedNames = left;
  }

  private void step() throws PowerFailure {
    if (stepsLeft <= 0) {
      throw new PowerFailure();
    }
    stepsLeft--;
    steps++;
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    Content content = names.get(file);
    if (mode == Mode.CREATE) {
      step();
      if (content != null) {
        throw new FileAlreadyExistsException(file.toString());
      }
      Content made = new Content();
      names.put(file, made);
      return new Open(made);
    }
    if (content == null) {
      throw new NoSuchFileException(file.toString());
    }
    return new Open(content);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step();
    Content content = names.remove(from);
    if (content == null) {
      throw new NoSuchFileException(from.toString());
    }
    names.put(to, content);
  }

  @Override
  public void delete(Path path) throws IOException {
    step();
    names.remove(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    step();
    if (names.keySet().stream().anyMatch(path -> !directory.equals(path.getParent()))) {
      throw new AssertionError("another directory: " + directory);
    }
    forcedNames = new TreeMap<>(names);
  }

  @Override
  public List<String> list(Path directory) {
    return names.keySet().stream().map(path -> path.getFileName().toString()).toList();
  }

  @Override
  public boolean isDirectory(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isRegularFile(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean exists(Path path) {
    return names.containsKey(path);
  }

  @Override
  public long size(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectories(Path directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long usableBytes(Path directory) {
    return Long.MAX_VALUE;
  }

  @Override
  public DiskLock lock(Path file) {
    throw new UnsupportedOperationException();
  }

  private final class Open implements DiskFile {
    private final Content content;

    Open(Content content) {
      this.content = content;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      step();
      byte[] grown =
          Arrays.copyOf(
              content.now, Math.max(content.now.length, (int) position + source.remaining()));
      source.get(grown, (int) position, source.remaining());
      content.now = grown;
    }

    @Override
    public int read(ByteBuffer target, long position) {
      int bytes = Math.min(target.remaining(), content.now.length - (int) position);
      target.put(content.now, (int) position, bytes);
      return bytes;
    }

    @Override
    public long size() {
      return content.now.length;
    }

    @Override
    public void truncate(long size) throws IOException {
      step();
      content.now = Arrays.copyOf(content.now, (int) size);
    }

    @Override
    public void force() throws IOException {
      step();
      content.forced = content.now;
    }

    @Override
    public void close() {}
  }
}
