package io.minikafka.client;

import io.minikafka.Names;
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
  private static final long UNKNOWN = -1;

  private final TopicPartition partition;
  private final boolean seated;
  private @Nullable TopicInfo topic;
  private StartPoint start;
  private boolean resolved;
  private boolean doubted;
  private int generation;
  private long position;
  private int epoch;
  private long committed = UNKNOWN;
  private long suspect = UNKNOWN;
  private boolean atCommitted;
  private long heldUntilNanos;
  private boolean heldBack;
  private long fetchOffset;
  private int lastEpoch;
  private long batchEnd;
  private OptionalLong highWatermark = OptionalLong.empty();

  /** Assigned by hand. */
  AssignedPartition(TopicPartition partition) {
    this.partition = partition;
    this.seated = false;
    this.start = new StartPoint.Unsaid();
  }

  /** Given by a group, which names the topic by its id and takes it away when it is gone. */
  AssignedPartition(Seat seat, CommittedSource source) {
    this.partition = seat.partition();
    this.seated = true;
    this.start = new StartPoint.Committed(source);
    int version = seat.topicId().equals(TopicInfo.NO_ID) ? 0 : 1;
    this.topic =
        new TopicInfo(partition.topic(), seat.topicId(), Names.MAX_PARTITIONS, false, version);
  }

  /** Whether a group gave it. */
  boolean isSeated() {
    return seated;
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
    atCommitted = false;
    epoch = 0;
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

  /** The start point is what the group has committed. */
  void resolveCommitted(CommittedOffset offset) {
    resolve(offset.offset());
    committed = offset.offset();
    epoch = offset.epoch();
    atCommitted = true;
  }

  /** Whether the position is the committed offset because nothing was returned yet. */
  boolean isAtCommitted() {
    return atCommitted;
  }

  /** What a commit of the position says. */
  CommittedOffset toCommit() {
    return new CommittedOffset(position, epoch, "");
  }

  /** With the log epoch, if it was left out and is that of the position. */
  CommittedOffset withEpoch(CommittedOffset offset) {
    return offset.epoch() == 0 && resolved && offset.offset() == position
        ? new CommittedOffset(position, epoch, offset.metadata())
        : offset;
  }

  boolean isUncommitted() {
    return resolved && position != committed;
  }

  /** This was committed, or is about to be. */
  void committed(long offset) {
    committed = offset;
  }

  /** What was about to be committed was not. */
  void commitFailed() {
    committed = UNKNOWN;
  }

  /** The server does not serve it for now: not to be asked for before that time. */
  void holdBack(long untilNanos) {
    heldBack = true;
    heldUntilNanos = untilNanos;
  }

  boolean isHeldBack(long nowNanos) {
    heldBack &= nowNanos - heldUntilNanos < 0;
    return heldBack;
  }

  /** What came from the position on is not good: the next fetch lets the server check it. */
  void refetchChecked() {
    refetch();
    suspect = position;
  }

  /** Whether what is fetched next came once and was not good. */
  boolean isSuspect() {
    return suspect == fetchOffset;
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
    batchEnd = Long.MAX_VALUE;
  }

  long position() {
    return position;
  }

  /**
   * Records below {@code offset} were returned.
   *
   * @param logEpoch of the last of them
   */
  void returned(long offset, int logEpoch) {
    position = offset;
    epoch = logEpoch;
    atCommitted = false;
  }

  long fetchOffset() {
    return fetchOffset;
  }

  /** The answer to the last fetch reaches so far. */
  void fetched(AnswerOutline outline) {
    fetchOffset = outline.endOffset();
    lastEpoch = outline.lastEpoch();
    batchEnd = outline.batchEnd();
  }

  /** Log epoch of the last batch that was fetched; 0 none since the last seek. */
  int lastEpoch() {
    return lastEpoch;
  }

  /**
   * Up to where offsets may be missing without being lost: to the end of the batch that {@link
   * #fetchOffset} lies in, which the broker may compact at any time. A batch that was read to its
   * end is followed by the next one or by a gap.
   */
  long batchEnd() {
    // Version 0 shows no markers, and its logs are never compacted.
    return topic != null && topic.version() > 0 ? batchEnd : fetchOffset;
  }

  OptionalLong highWatermark() {
    return highWatermark;
  }

  void highWatermark(long offset) {
    highWatermark = OptionalLong.of(offset);
  }
}
