package io.minikafka.bench;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Writes to the disks what the operating system still keeps in memory, of all processes ({@code
 * sync}): past a bound it slows down whoever writes, and would make a measurement pay for what was
 * measured before it. Does nothing where there is no such call. Any thread; takes as long as the
 * disks take.
 */
final class Writeback {
  private Writeback() {}

  static void finish() {
    Linker linker = Linker.nativeLinker();
    linker
        .defaultLookup()
        .find("sync")
        .map(sync -> linker.downcallHandle(sync, FunctionDescriptor.ofVoid()))
        .ifPresent(Writeback::call);
  }

  private static void call(MethodHandle sync) {
    try {
      sync.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
