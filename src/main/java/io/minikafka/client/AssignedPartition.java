package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How far a consumer is in one partition. Three places: {@link #position} is what {@code poll}
 * returns next, {@link #fetchOffset} is what is asked of the server next (ahead of the position by
 * what has come and was not returned yet), and the start point when neither is known.
 *
 * <p>The polling thread's alone.
 */
final class AssignedPartition {
  private final TopicPartition partition;
  private @Nullable TopicInfo topic;
  private StartPoint start = new StartPoint.Unsaid();
  private boolean resolved;
  private boolean doubted;
  private int generation;
  private long position;
  private long fetchOffset;
  private int lastEpoch;
  private boolean maySkip;
  private OptionalLong highWatermark = OptionalLong.empty();

  AssignedPartition(TopicPartition partition) {
    this.partition = partition;
  }

  TopicPartition partition() {
    return partition;
  }

  Optional<TopicInfo> topic() {
    return Optional.ofNullable(topic);
  }

  void learn(TopicInfo info) {
    topic = info;
    doubted = false;
  }

  /** The server does not know the topic by what was learnt of it. */
  void doubt() {
    doubted = true;
  }

  boolean isDoubted() {
    return doubted;
  }

  StartPoint start() {
    return start;
  }

  /** Whether position and fetch offset are known. */
  boolean isResolved() {
    return resolved;
  }

  /** Changes whenever what was fetched or looked up so far means nothing any more. */
  int generation() {
    return generation;
  }

  void seek(StartPoint point) {
    start = point;
    resolved = false;
    generation++;
    if (point instanceof StartPoint.At at) {
      resolve(at.offset());
    }
  }

  /** The start point is this offset. */
  void resolve(long offset) {
    position = offset;
    resolved = true;
    askFromPosition();
  }

  /** What was fetched ahead is of no use: ask again from the position. */
  void refetch() {
    generation++;
    askFromPosition();
  }

  private void askFromPosition() {
    fetchOffset = position;
    lastEpoch = 0;
    // It may lie inside a compacted batch; the first marker will tell.
    maySkip = true;
  }

  long position() {
    return position;
  }

  /** Records below {@code offset} were returned. */
  void returned(long offset) {
    position = offset;
  }

  long fetchOffset() {
    return fetchOffset;
  }

  /** The answer to the last fetch reaches so far. */
  void fetched(AnswerOutline outline) {
    fetchOffset = outline.endOffset();
    lastEpoch = outline.lastEpoch();
    maySkip = outline.insideCompacted();
  }

  /** Log epoch of the last batch that was fetched; 0 none since the last seek. */
  int lastEpoch() {
    return lastEpoch;
  }

  /** Whether the next entry may begin behind {@link #fetchOffset} without being a hole. */
  boolean maySkip() {
    // Version 0 shows no markers, and its logs are never compacted.
    return maySkip && topic != null && topic.version() > 0;
  }

  OptionalLong highWatermark() {
    return highWatermark;
  }

  void highWatermark(long offset) {
    highWatermark = OptionalLong.of(offset);
  }
}
