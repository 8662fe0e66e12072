package io.minikafka.sim;

import io.minikafka.storage.AlreadyLockedException;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that forgets: at a power loss unforced writes are kept, lost or torn at any byte
 * ({@link FileImage}) and unforced names are kept or lost ({@link DirectoryImage}), each file and
 * directory on its own, by the seed.
 *
 * <p>Every operation that changes something is numbered. {@link #stopBefore} ends the process right
 * before one of them; whoever calls after that gets {@link PowerOff}. {@link #powerLoss} or {@link
 * #processKill} then makes the disk usable again for the next process; handles and locks of the
 * dead one are void.
 *
 * <p>One thread; paths are absolute.
 */
public final class SimDisk implements Disk {
  /** How many operations a failure tells; {@code -Dtrace} wants more. */
  private static final int TRACED = Integer.getInteger("trace", 60);

  /** What a disk that does not do what it says leaves out. */
  public enum Lie {
    /** {@link DiskFile#force} returns at once. */
    FORCE,
    /** {@link #forceDirectory} returns at once. */
    FORCE_DIRECTORY,
    /** What was cut comes back at a power loss, forced or not. */
    CUT
  }

  final Random random;
  private final Set<Lie> lies;
  private final Tree tree = new Tree();
  private final Set<Path> locked = new HashSet<>();
  private final String[] trace = new String[TRACED];

  /** Counts processes; a handle of an earlier one is void. */
  int life;

  private boolean off;
  private long operations;
  private long stopBefore = Long.MAX_VALUE;

  private long usedBytes;
  private long capacityBytes = Long.MAX_VALUE / 2;
  private int openFiles;
  private int openFileLimit = Integer.MAX_VALUE;
  private @Nullable String failForceOf;
  private @Nullable String failReadOf;
  private long failReadFrom;
  private long failReadTo;

  public SimDisk(long seed, Lie... lies) {
    this.random = new Random(seed);
    this.lies = Set.of(lies);
  }

  // Faults and crashes.

  /** Operations so far that change something. */
  public long operations() {
    return operations;
  }

  /** Ends the process right before that operation; the first has the number 0. */
  public void stopBefore(long operation) {
    stopBefore = operation;
  }

  /** Whether the process was ended and nobody has started the next one. */
  public boolean isOff() {
    return off;
  }

  /** Ends the process now. */
  public void turnOff() {
    off = true;
  }

  /** The machine loses power and starts again; what was not forced is kept, lost or torn. */
  public void powerLoss() {
    List<DirectoryImage> directories = tree.directories();
    directories.forEach(directory -> directory.crash(random));
    directories.forEach(DirectoryImage::settle);
    nextLife();
    tree.files().forEach(file -> file.crash(random));
    usedBytes = tree.recount();
  }

  /** The process ends, the machine goes on: nothing written is lost, nothing more is forced. */
  public void processKill() {
    nextLife();
    tree.files().forEach(file -> file.handles = 0);
    usedBytes = tree.recount();
  }

  private void nextLife() {
    life++;
    off = false;
    stopBefore = Long.MAX_VALUE;
    locked.clear();
    openFiles = 0;
    failForceOf = null;
    failReadOf = null;
  }

  /** From now on the disk holds so many bytes more than it does. */
  public void limitFreeBytes(long free) {
    capacityBytes = free > Long.MAX_VALUE / 4 ? Long.MAX_VALUE / 2 : usedBytes + free;
  }

  public void limitOpenFiles(int limit) {
    openFileLimit = limit;
  }

  /** The next force of a file whose name ends so fails, and its unforced bytes are lost. */
  public void failNextForce(String nameEnd) {
    failForceOf = nameEnd;
  }

  /** Reads that touch these bytes of files whose names end so fail, until the process ends. */
  public void failReads(String nameEnd, long from, long to) {
    failReadOf = nameEnd;
    failReadFrom = from;
    failReadTo = to;
  }

  /** Changes bytes in place and for good, as a fault of the medium would. */
  public void damage(Path file, long position, byte[] bytes) throws IOException {
    FileImage image = tree.file(file);
    image.write(bytes.clone(), position);
    image.force();
  }

  /** Replaces what is in a file, for good, as a fault of the medium or a stranger would. */
  public void replace(Path file, byte[] content) throws IOException {
    FileImage image = tree.file(file);
    usedBytes += content.length - image.size();
    image.cut(0);
    image.write(content.clone(), 0);
    image.force();
  }

  /** Files whose names end so, wherever they are. */
  public List<Path> filesEnding(String nameEnd) {
    return tree.filesEnding(nameEnd);
  }

  /** The content of a file as a process would see it. */
  public byte[] bytes(Path file) throws IOException {
    return tree.file(file).bytes();
  }

  public int openFiles() {
    return openFiles;
  }

  public long usedBytes() {
    return usedBytes;
  }

  /** The last operations, newest last, one a line. */
  public String trace() {
    StringBuilder lines = new StringBuilder();
    for (long i = Math.max(0, operations - TRACED); i < operations; i++) {
      lines.append("  #").append(i).append(' ').append(trace[(int) (i % TRACED)]).append('\n');
    }
    return lines.toString();
  }

  /** Where every change passes; false if it is to be left out. */
  private void change(String what, Object where) {
    alive();
    if (operations >= stopBefore) {
      off = true;
      alive();
    }
    trace[(int) (operations++ % TRACED)] = what + " " + where;
  }

  private void alive() {
    if (off) {
      throw new PowerOff("the process was ended before disk operation #" + operations);
    }
  }

  // The disk.

  @Override
  public DiskFile open(Path path, Mode mode) throws IOException {
    alive();
    takeDescriptor(path);
    boolean opened = false;
    try {
      DirectoryImage parent = tree.directory(Tree.parentOf(path));
      @Nullable Node node = parent.seen.get(Tree.nameOf(path));
      FileImage image;
      if (mode == Mode.CREATE) {
        if (node != null) {
          throw new FileAlreadyExistsException(path.toString());
        }
        if (usedBytes >= capacityBytes) {
          throw full(path);
        }
        change("create", path);
        image = new FileImage();
        image.names = 1;
        parent.add(Tree.nameOf(path), image);
      } else {
        image = tree.file(path);
      }
      image.handles++;
      opened = true;
      return new SimFile(this, path, image, mode != Mode.READ);
    } finally {
      if (!opened) {
        openFiles--;
      }
    }
  }

  @Override
  public List<String> list(Path path) throws IOException {
    alive();
    takeDescriptor(path);
    openFiles--;
    return List.copyOf(tree.directory(path).seen.keySet());
  }

  @Override
  public boolean isDirectory(Path path) {
    alive();
    return tree.find(path) instanceof DirectoryImage;
  }

  @Override
  public boolean isRegularFile(Path path) {
    alive();
    return tree.find(path) instanceof FileImage;
  }

  @Override
  public boolean exists(Path path) {
    alive();
    return tree.find(path) != null;
  }

  @Override
  public long size(Path path) throws IOException {
    alive();
    return tree.file(path).size();
  }

  @Override
  public void createDirectories(Path path) throws IOException {
    alive();
    switch (tree.find(path)) {
      case DirectoryImage there -> {}
      case FileImage file -> throw new FileAlreadyExistsException(path.toString());
      case null -> {
        Path parent = Tree.parentOf(path);
        createDirectories(parent);
        if (usedBytes >= capacityBytes) {
          throw full(path);
        }
        change("create directory", path);
        tree.directory(parent).add(Tree.nameOf(path), new DirectoryImage());
        forceDirectory(parent);
      }
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    alive();
    DirectoryImage source = tree.directory(Tree.parentOf(from));
    DirectoryImage target = tree.directory(Tree.parentOf(to));
    if (!source.seen.containsKey(Tree.nameOf(from))) {
      throw new NoSuchFileException(from.toString());
    }
    @Nullable Node replaced = target.seen.get(Tree.nameOf(to));
    if (replaced instanceof DirectoryImage) {
      throw new FileAlreadyExistsException(to.toString());
    }
    change("rename", from + " to " + to);
    source.rename(Tree.nameOf(from), target, Tree.nameOf(to));
    if (replaced instanceof FileImage file) {
      file.names--;
      release(file);
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    alive();
    @Nullable Node node = tree.find(path);
    if (node == null) {
      return;
    }
    if (node instanceof DirectoryImage directory && !directory.seen.isEmpty()) {
      throw new IOException(path + " is not empty");
    }
    change("delete", path);
    tree.directory(Tree.parentOf(path)).remove(Tree.nameOf(path));
    if (node instanceof FileImage file) {
      file.names--;
      release(file);
    }
  }

  @Override
  public void forceDirectory(Path path) throws IOException {
    alive();
    takeDescriptor(path);
    openFiles--;
    DirectoryImage directory = tree.directory(path);
    change("force directory", path);
    if (!lies.contains(Lie.FORCE_DIRECTORY)) {
      directory.force();
    }
  }

  @Override
  public long usableBytes(Path directory) {
    alive();
    return Math.max(0, capacityBytes - usedBytes);
  }

  @Override
  public DiskLock lock(Path path) throws IOException {
    alive();
    if (!locked.add(path)) {
      throw new AlreadyLockedException(path + " is locked");
    }
    boolean taken = false;
    try {
      DiskFile file = open(path, exists(path) ? Mode.WRITE : Mode.CREATE);
      taken = true;
      int lockedInLife = life;
      return () -> {
        file.close();
        if (lockedInLife == life) {
          locked.remove(path);
        }
      };
    } finally {
      if (!taken) {
        locked.remove(path);
      }
    }
  }

  // What a handle does.

  void check(SimFile handle) throws IOException {
    alive();
    if (handle.life != life) {
      throw new PowerOff("a handle of a process that has ended: " + handle.path);
    }
    if (handle.closed) {
      throw new java.nio.channels.ClosedChannelException();
    }
  }

  void write(SimFile handle, byte[] bytes, long position) throws IOException {
    FileImage image = handle.image;
    if (off || operations >= stopBefore) {
      // A process killed in the middle of a write leaves a part of it.
      if (!off && bytes.length > 0) {
        byte[] part = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        image.write(part, position);
      }
      change("write", handle.path);
    }
    change("write", "%s %d+%d".formatted(handle.path, position, bytes.length));
    long grows = Math.max(0, position + bytes.length - image.size());
    long room = Math.max(0, capacityBytes - usedBytes);
    if (grows > room) {
      int fits = (int) Math.max(0, bytes.length - (grows - room));
      byte[] part = java.util.Arrays.copyOf(bytes, random.nextInt(fits + 1));
      grow(image, part, position);
      throw full(handle.path);
    }
    grow(image, bytes, position);
  }

  private void grow(FileImage image, byte[] bytes, long position) {
    int before = image.size();
    image.write(bytes, position);
    usedBytes += image.size() - before;
  }

  void checkRead(SimFile handle, long position, int bytes) throws IOException {
    if (failReadOf != null
        && handle.path.toString().endsWith(failReadOf)
        && position < failReadTo
        && position + bytes > failReadFrom) {
      throw new IOException(handle.path + ": Input/output error");
    }
  }

  void cut(SimFile handle, long size) {
    change("cut", handle.path + " to " + size);
    usedBytes -= handle.image.size() - size;
    handle.image.cut((int) size);
  }

  void force(SimFile handle) throws IOException {
    change("force", handle.path);
    if (failForceOf != null && handle.path.toString().endsWith(failForceOf)) {
      failForceOf = null;
      handle.image.failForce(random);
      throw new IOException(handle.path + ": Input/output error");
    }
    if (lies.contains(Lie.FORCE)) {
      return;
    }
    if (lies.contains(Lie.CUT)) {
      handle.image.forceWritesOnly();
    } else {
      handle.image.force();
    }
  }

  void close(SimFile handle) {
    if (handle.life == life && !handle.closed) {
      openFiles--;
      handle.image.handles--;
      release(handle.image);
    }
  }

  // Names.

  private void takeDescriptor(Path path) throws IOException {
    if (openFiles >= openFileLimit) {
      throw new OpenFileLimitException(
          path + ": Too many open files", new IOException("limit " + openFileLimit));
    }
    openFiles++;
  }

  private void release(FileImage file) {
    if (file.names == 0 && file.handles == 0) {
      usedBytes -= file.size();
    }
  }

  private static DiskFullException full(Path path) {
    return new DiskFullException(path + ": No space left on device");
  }
}
