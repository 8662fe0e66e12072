package io.minikafka.app;

import io.minikafka.storage.DiskFile;
import io.minikafka.storage.ForwardingDisk;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.file.Path;

/** The real disk, with the test's hand on opening, forcing and locking. */
final class SteeredDisk extends ForwardingDisk {
  /** Called before it happens; may wait, or fail. */
  @FunctionalInterface
  interface Hand {
    void on(Path file) throws IOException;
  }

  volatile Hand beforeOpen = file -> {};
  volatile Hand beforeForce = file -> {};

  SteeredDisk() {
    super(new LocalDisk());
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    beforeOpen.on(file);
    return new SteeredFile(file, disk.open(file, mode));
  }

  private final class SteeredFile extends ForwardingFile {
    private final Path path;

    SteeredFile(Path path, DiskFile file) {
      super(file);
      this.path = path;
    }

    @Override
    public void force() throws IOException {
      beforeForce.on(path);
      file.force();
    }
  }
}
