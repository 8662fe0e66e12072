package io.minikafka.net;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A request that came in, until its answer is encoded. Its frame is kept until there is an answer,
 * because a produce is written to the log from it.
 */
final class Pending {
  final int version;
  final int correlationId;
  final ByteBuf frame;

  /** What it counts for while it is under way. */
  final long bytes;

  /** Set once, by whoever answers, before the event loop is told. */
  @Nullable Outcome outcome;

  Pending(int version, int correlationId, ByteBuf frame, long bytes) {
    this.version = version;
    this.correlationId = correlationId;
    this.frame = frame;
    this.bytes = bytes;
  }

  /** Answers of version 0 come in the order of the requests; others are told apart by id. */
  boolean keepsOrder() {
    return version == 0;
  }
}
