package io.minikafka.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Takes files out of the page cache of Linux, so that the next who reads them waits for the disk:
 * {@code posix_fadvise} of the C library. What is not on the disk yet is forced first, for it would
 * stay. Any thread.
 */
final class PageCache {
  private static final int READ_ONLY = 0;
  private static final int DONT_NEED = 4;

  private final MethodHandle open;
  private final MethodHandle force;
  private final MethodHandle advise;
  private final MethodHandle close;

  private PageCache(
      MethodHandle open, MethodHandle force, MethodHandle advise, MethodHandle close) {
    this.open = open;
    this.force = force;
    this.advise = advise;
    this.close = close;
  }

  /** Empty where there is no such thing. */
  static Optional<PageCache> ofThisSystem() {
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = linker.defaultLookup();
    boolean isHere =
        System.getProperty("os.name").equals("Linux") && library.find("posix_fadvise").isPresent();
    if (!isHere) {
      return Optional.empty();
    }
    FunctionDescriptor ofFile = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    return Optional.of(
        new PageCache(
            linker.downcallHandle(
                library.findOrThrow("open"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2)),
            linker.downcallHandle(library.findOrThrow("fdatasync"), ofFile),
            linker.downcallHandle(
                library.findOrThrow("posix_fadvise"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT)),
            linker.downcallHandle(library.findOrThrow("close"), ofFile)));
  }

  /**
   * The whole file; pages that somebody has mapped stay.
   *
   * @param forced whether it is known to be on the disk: forcing it again would cost a flush of the
   *     disk each time
   */
  void drop(Path file, boolean forced) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(file.toString());
      int descriptor = (int) open.invokeExact(name, READ_ONLY);
      if (descriptor < 0) {
        throw new IOException(file + " could not be opened");
      }
      int failed = forced ? 0 : (int) force.invokeExact(descriptor);
      int advised = (int) advise.invokeExact(descriptor, 0L, 0L, DONT_NEED);
      int closed = (int) close.invokeExact(descriptor);
      if (failed != 0 || advised != 0 || closed != 0) {
        throw new IOException(file + " could not be taken out of the page cache");
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
