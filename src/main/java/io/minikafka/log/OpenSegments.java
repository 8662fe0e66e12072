package io.minikafka.log;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sealed segments of a data directory that hold a descriptor and indexes; beyond the bounds the
 * least recently used let go of them. What a reader has leased stays open beyond the bound until
 * the reader is done. Any thread.
 */
final class OpenSegments {
  private final int maxSegments;
  private final long maxIndexBytes;

  // Guarded by this. In order of use; the value is what the indexes took when they were counted.
  private final Map<SealedSegment, Integer> segments = new LinkedHashMap<>(16, 0.75f, true);
  private long indexBytes;

  OpenSegments(int maxSegments, long maxIndexBytes) {
    this.maxSegments = maxSegments;
    this.maxIndexBytes = maxIndexBytes;
  }

  /** The segment was just used, or may be dropped from now on. */
  void used(SealedSegment segment) {
    if (!segment.mayBeDropped()) {
      return;
    }
    List<SealedSegment> victims = List.of();
    synchronized (this) {
      int bytes = segment.memoryBytes();
      Integer before = segments.put(segment, bytes);
      indexBytes += bytes - (before == null ? 0 : before);
      if (segments.size() > maxSegments || indexBytes > maxIndexBytes) {
        victims = evict();
      }
    }
    victims.forEach(SealedSegment::drop);
  }

  void forget(SealedSegment segment) {
    synchronized (this) {
      Integer bytes = segments.remove(segment);
      indexBytes -= bytes == null ? 0 : bytes;
    }
  }

  synchronized int count() {
    return segments.size();
  }

  /** By the holder of the lock. The one used last stays, whatever its size. */
  private List<SealedSegment> evict() {
    List<SealedSegment> victims = new ArrayList<>();
    Iterator<Map.Entry<SealedSegment, Integer>> eldest = segments.entrySet().iterator();
    while ((segments.size() > maxSegments || indexBytes > maxIndexBytes) && segments.size() > 1) {
      Map.Entry<SealedSegment, Integer> victim = eldest.next();
      victims.add(victim.getKey());
      indexBytes -= victim.getValue();
      eldest.remove();
    }
    return victims;
  }
}
