package io.minikafka.sim;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is where on a {@link SimDisk}, as processes see it. */
final class Tree {
  private final DirectoryImage root = new DirectoryImage();

  @Nullable Node find(Path path) {
    Node at = root;
    for (Path name : absolute(path)) {
      if (!(at instanceof DirectoryImage directory)) {
        return null;
      }
      Node next = directory.seen.get(name.toString());
      if (next == null) {
        return null;
      }
      at = next;
    }
    return at;
  }

  DirectoryImage directory(Path path) throws NoSuchFileException {
    if (find(path) instanceof DirectoryImage directory) {
      return directory;
    }
    throw new NoSuchFileException(path.toString());
  }

  FileImage file(Path path) throws IOException {
    return switch (find(path)) {
      case FileImage file -> file;
      case DirectoryImage directory -> throw new IOException(path + ": Is a directory");
      case null -> throw new NoSuchFileException(path.toString());
    };
  }

  private static Path absolute(Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("not absolute: " + path);
    }
    return path.normalize();
  }

  static Path parentOf(Path path) {
    Path parent = absolute(path).getParent();
    if (parent == null) {
      throw new IllegalArgumentException("the root has no parent");
    }
    return parent;
  }

  static String nameOf(Path path) {
    return absolute(path).getFileName().toString();
  }

  List<DirectoryImage> directories() {
    List<DirectoryImage> all = new ArrayList<>();
    root.collect(all);
    return all;
  }

  List<FileImage> files() {
    return directories().stream()
        .flatMap(directory -> directory.seen.values().stream())
        .filter(FileImage.class::isInstance)
        .map(FileImage.class::cast)
        .distinct()
        .toList();
  }

  /**
   * Counts the names of each file anew.
   *
   * @return bytes of all files
   */
  long recount() {
    List<FileImage> files = files();
    files.forEach(file -> file.names = 0);
    for (DirectoryImage directory : directories()) {
      for (Node node : directory.seen.values()) {
        if (node instanceof FileImage file) {
          file.names++;
        }
      }
    }
    return files.stream().mapToLong(FileImage::size).sum();
  }

  /** Files whose names end so, wherever they are. */
  List<Path> filesEnding(String nameEnd) {
    List<Path> found = new ArrayList<>();
    collect(Path.of("/"), root, nameEnd, found);
    return found;
  }

  private static void collect(Path at, DirectoryImage in, String nameEnd, List<Path> found) {
    in.seen.forEach(
        (name, node) -> {
          switch (node) {
            case DirectoryImage directory -> collect(at.resolve(name), directory, nameEnd, found);
            case FileImage file when name.endsWith(nameEnd) -> found.add(at.resolve(name));
            case FileImage file -> {}
          }
        });
  }
}
