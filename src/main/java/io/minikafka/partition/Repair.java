package io.minikafka.partition;

import java.util.List;

/**
 * What a repair does, or has done.
 *
 * @param range the damage it is about
 * @param lostFrom first offset that is given up
 * @param lostTo behind the last one
 * @param end log end offset afterwards
 * @param bytesSetAside bytes that go, and of which a copy is kept
 * @param copies files with these, relative to the data directory; named when they were made
 * @param rewritten files that are written anew without them
 * @param removed files that go
 */
public record Repair(
    RepairAction action,
    DamagedRange range,
    long lostFrom,
    long lostTo,
    long end,
    long bytesSetAside,
    List<String> copies,
    List<String> rewritten,
    List<String> removed) {
  public Repair {
    copies = List.copyOf(copies);
    rewritten = List.copyOf(rewritten);
    removed = List.copyOf(removed);
  }

  public long lostOffsets() {
    return lostTo - lostFrom;
  }

  /** The same, with where the copies are. */
  public Repair withCopies(List<String> made) {
    return new Repair(
        action, range, lostFrom, lostTo, end, bytesSetAside, made, rewritten, removed);
  }
}
