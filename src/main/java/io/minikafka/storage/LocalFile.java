package io.minikafka.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of the local file system. The network layer sends it by its channel. */
public final class LocalFile implements DiskFile {
  private final Path path;
  private final FileChannel channel;

  LocalFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** For sendfile only. Its own position is not used; nobody but this file closes it. */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    try {
      while (source.hasRemaining()) {
        position += channel.write(source, position);
      }
    } catch (IOException e) {
      throw LocalDisk.classify(path, e);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      int read = channel.read(target, position + total);
      if (read <= 0) {
        break;
      }
      total += read;
    }
    return total;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public void truncate(long size) throws IOException {
    if (size > channel.size()) {
      throw new IllegalArgumentException("%s is shorter than %d bytes".formatted(path, size));
    }
    channel.truncate(size);
  }

  @Override
  public void force() throws IOException {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw LocalDisk.classify(path, e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
