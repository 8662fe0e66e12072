package io.minikafka.app;

import io.minikafka.broker.DiskUse;
import io.minikafka.log.DirectoryStats;
import io.minikafka.log.LogDirectory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Measures what the data directory takes up. Any thread that may block. */
record DiskLook(LogDirectory logs, Path directory, long unflushedLimitBytes)
    implements Supplier<DiskUse> {
  @Override
  public DiskUse get() {
    DirectoryStats stats = logs.directoryStats();
    return new DiskUse(
        directory.toString(),
        stats.bytes(),
        stats.unflushedBytes(),
        unflushedLimitBytes,
        stats.pinnedBytes(),
        ask(FileStore::getTotalSpace),
        ask(FileStore::getUsableSpace));
  }

  private interface Question {
    long of(FileStore store) throws IOException;
  }

  private OptionalLong ask(Question question) {
    try {
      return OptionalLong.of(question.of(Files.getFileStore(directory)));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
