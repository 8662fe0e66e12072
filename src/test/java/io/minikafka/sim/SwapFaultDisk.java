package io.minikafka.sim;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.ForwardingDisk;
import java.io.IOException;
import java.nio.file.Path;

/** Broken on purpose: does one step of a compaction's swap wrongly. */
final class SwapFaultDisk extends ForwardingDisk {
  /** What is wrong. */
  enum Fault {
    /** The compacted segment is not forced. */
    SEGMENT_NOT_FORCED,
    /** The directory is not forced behind the second name. */
    SECOND_NAME_NOT_FORCED,
    /** The directory is not forced between the removal of the originals and the last name. */
    REMOVAL_NOT_FORCED,
    /** The originals are removed before the compacted segment has its second name. */
    ORIGINALS_FIRST
  }

  private final Fault fault;
  private boolean afterSecondName;
  private boolean afterRemoval;

  SwapFaultDisk(Disk disk, Fault fault) {
    super(disk);
    this.fault = fault;
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    DiskFile opened = super.open(file, mode);
    return fault == Fault.SEGMENT_NOT_FORCED && file.toString().endsWith(".cleaned")
        ? new Unforced(opened)
        : opened;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    boolean isSecond = to.toString().endsWith(".swap");
    if (isSecond && fault == Fault.ORIGINALS_FIRST) {
      removeOriginals(to);
    }
    super.rename(from, to);
    afterSecondName = isSecond;
    afterRemoval = false;
  }

  private void removeOriginals(Path swap) throws IOException {
    String name = swap.getFileName().toString();
    String first = name.substring(0, 20);
    String next = name.substring(21, 41);
    Path directory = swap.resolveSibling("");
    for (String other : disk.list(directory)) {
      boolean isSegment = other.length() == 24 && other.endsWith(".log");
      if (isSegment && other.compareTo(first) > 0 && other.substring(0, 20).compareTo(next) < 0) {
        super.delete(directory.resolve(other));
      }
    }
    disk.forceDirectory(directory);
  }

  @Override
  public void delete(Path path) throws IOException {
    super.delete(path);
    afterRemoval |= afterSecondName;
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    boolean left =
        afterRemoval
            ? fault == Fault.REMOVAL_NOT_FORCED
            : afterSecondName && fault == Fault.SECOND_NAME_NOT_FORCED;
    if (!left) {
      super.forceDirectory(directory);
    }
    afterRemoval = false;
  }

  private static final class Unforced extends ForwardingFile {
    Unforced(DiskFile file) {
      super(file);
    }

    @Override
    public void force() {}
  }
}
