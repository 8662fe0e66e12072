package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.FileSlice;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file of a segment, open while somebody holds a lease or until it is let go.
 *
 * <p><b>Life-cycle.</b> Opened by the first lease; {@link #letGo} closes it when the last lease
 * ends, and a later lease opens it again; {@link #retire} does so for good, even before the file is
 * unlinked, so that bytes on their way to a reader stay readable.
 *
 * <p>Any thread. {@link #lease} blocks if it has to open the file.
 */
final class SegmentFile {
  private final Disk disk;
  private final Path path;
  private final Pins pins;

  // Guarded by this.
  private @Nullable DiskFile open;
  private int leases;
  private boolean keep = true;
  private boolean retired;

  /**
   * @param open the file if it is open already; it then belongs to this
   */
  SegmentFile(Disk disk, Path path, Pins pins, @Nullable DiskFile open) {
    this.disk = disk;
    this.path = path;
    this.pins = pins;
    this.open = open;
  }

  Path path() {
    return path;
  }

  /**
   * Keeps the file open until {@link #unlease}.
   *
   * @throws NoSuchFileException if the segment was retired
   */
  synchronized DiskFile lease() throws IOException {
    if (retired) {
      throw new NoSuchFileException(path.toString(), null, "the segment was given up");
    }
    DiskFile file = open;
    if (file == null) {
      file = disk.open(path, Disk.Mode.READ);
      open = file;
      keep = true;
    }
    leases++;
    return file;
  }

  void unlease() {
    DiskFile idle;
    synchronized (this) {
      leases--;
      idle = takeIfIdle();
    }
    close(idle);
  }

  /**
   * Turns a lease into a slice that ends it.
   *
   * @param file what {@link #lease} returned
   */
  FileSlice slice(DiskFile file, int position, int bytes) {
    pins.add(bytes);
    return new FileSlice(
        file,
        position,
        bytes,
        () -> {
          pins.remove(bytes);
          unlease();
        });
  }

  synchronized boolean isOpen() {
    return open != null;
  }

  /** Closes the file as soon as nobody reads it. */
  void letGo() {
    DiskFile idle;
    synchronized (this) {
      keep = false;
      idle = takeIfIdle();
    }
    close(idle);
  }

  /** No new leases; closes the file as soon as the last one ends. */
  void retire() {
    synchronized (this) {
      retired = true;
    }
    letGo();
  }

  private @Nullable DiskFile takeIfIdle() {
    if (leases > 0 || keep) {
      return null;
    }
    DiskFile idle = open;
    open = null;
    return idle;
  }

  private static void close(@Nullable DiskFile idle) {
    if (idle == null) {
      return;
    }
    try {
      idle.close();
    } catch (IOException e) {
      // Whatever had to be durable was forced; a failed close loses nothing.
      System.getLogger(SegmentFile.class.getName())
          .log(System.Logger.Level.WARNING, "closing " + idle, e);
    }
  }
}
