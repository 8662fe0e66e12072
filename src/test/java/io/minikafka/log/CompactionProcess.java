package io.minikafka.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Compacts a log in a process of its own and stops for ever right before one of the disk operations
 * of the compaction, to be killed there.
 */
final class CompactionProcess {
  /** So large that some of the small segments are joined. */
  static final int SEGMENT_BYTES = 4096;

  private CompactionProcess() {}

  /**
   * Prints what was written, a line each, then the operation it stands before, or {@code done}.
   *
   * @param args the data directory, and the ordinal of the operation
   */
  public static void main(String[] args) throws IOException {
    KeyedLog log = new KeyedLog(Path.of(args[0]), KeyedLog.compacting(SEGMENT_BYTES));
    log.bench.worker.hold();
    log.configure(KeyedLog.compacting(300));
    log.append("a=1", "b=1", "c=1").append("a=2").append("b").append("c=2", "d=1", "a=3");
    log.append("e=1").append("a=4", "e=2");
    log.configure(KeyedLog.compacting(SEGMENT_BYTES));
    log.seal();
    log.written.forEach((offset, record) -> System.out.println(offset + " " + record));
    int stopBefore = Integer.parseInt(args[1]);
    AtomicInteger operations = new AtomicInteger();
    log.bench.disk.fault =
        (action, path) -> {
          boolean changes = !action.equals("open");
          if (changes && operations.getAndIncrement() == stopBefore) {
            System.out.println("before " + action + " " + path.getFileName());
            System.out.flush();
            while (true) {
              LockSupport.park();
            }
          }
        };
    log.bench.worker.release();
    System.out.println("done");
  }
}
