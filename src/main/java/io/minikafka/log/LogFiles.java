package io.minikafka.log;

import io.minikafka.PartitionId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Every name of a file or directory below a data directory, made and parsed in this one place.
 *
 * <pre>
 * &lt;data&gt;/lock
 * &lt;data&gt;/checkpoint, checkpoint.previous, reserve
 * &lt;data&gt;/meta/&lt;name&gt;
 * &lt;data&gt;/quarantine/, set-aside/
 * &lt;data&gt;/&lt;topic id&gt;/&lt;partition&gt;/&lt;base offset, 20 digits&gt;.log, .index, .timeindex
 * &lt;data&gt;/&lt;topic id&gt;/&lt;partition&gt;/spare.log, damage, compaction
 * &lt;data&gt;/&lt;topic id&gt;/&lt;partition&gt;/&lt;base offset&gt;.cleaned, &lt;base offset&gt;-&lt;next offset&gt;.swap
 * </pre>
 *
 * <p>Stateless; any thread.
 */
final class LogFiles {
  static final String LOG = ".log";
  static final String OFFSET_INDEX = ".index";
  static final String TIME_INDEX = ".timeindex";
  static final String TEMPORARY = ".tmp";

  /** The next segment, made ahead; empty until it is renamed. */
  static final String SPARE = "spare.log";

  /** A compacted segment that is being written. */
  static final String CLEANED = ".cleaned";

  /** A compacted segment that is complete, and takes the place of those in its range. */
  static final String SWAP = ".swap";

  /** State of idempotent producers at a segment's base offset. */
  static final String PRODUCERS = ".producers";

  private static final int DIGITS = 20;

  private LogFiles() {}

  static Path lock(Path data) {
    return data.resolve("lock");
  }

  static Path checkpoint(Path data) {
    return data.resolve("checkpoint");
  }

  static Path previousCheckpoint(Path data) {
    return data.resolve("checkpoint.previous");
  }

  /** What {@code file} is called while it is being written. */
  static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + TEMPORARY);
  }

  /** See {@link Reserve}. */
  static Path reserve(Path data) {
    return data.resolve("reserve");
  }

  static Path meta(Path data) {
    return data.resolve("meta");
  }

  /** Copies of torn tails that were cut. */
  static Path quarantine(Path data) {
    return data.resolve("quarantine");
  }

  /** Strangers that were moved out of the way. */
  static Path setAside(Path data) {
    return data.resolve("set-aside");
  }

  /**
   * A copy of what was cut off a segment.
   *
   * @param position where it began in the segment
   * @param ordinal tells copies of the same place apart
   */
  static Path quarantined(Path data, PartitionId id, long base, int position, int ordinal) {
    return quarantine(data)
        .resolve(
            "%s-%s-%s-%d-%d.cut"
                .formatted(
                    id.topicId(),
                    Integer.toUnsignedString(id.partition()),
                    segmentName(base),
                    position,
                    ordinal));
  }

  static Path topic(Path data, UUID topicId) {
    return data.resolve(topicId.toString());
  }

  static Path partition(Path data, PartitionId id) {
    return topic(data, id.topicId()).resolve(Integer.toUnsignedString(id.partition()));
  }

  /** The id a topic directory is named by; only the spelling {@link #topic} makes counts. */
  static Optional<UUID> topicId(String name) {
    if (name.length() != 36) {
      return Optional.empty();
    }
    try {
      UUID id = UUID.fromString(name);
      return id.toString().equals(name) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether a broker makes files or directories of such a name, besides those of topics. */
  static boolean belongsInData(String name) {
    return Set.of(
            "lock",
            "checkpoint",
            "checkpoint.previous",
            "checkpoint" + TEMPORARY,
            "reserve",
            "meta",
            "quarantine",
            "set-aside")
        .contains(name);
  }

  /** Whether a partition's directory can have that name; only one spelling counts. */
  static boolean isPartition(String name) {
    try {
      int partition = Integer.parseInt(name);
      return partition >= 0 && Integer.toString(partition).equals(name);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  static Path log(Path partition, long baseOffset) {
    return partition.resolve(segmentName(baseOffset) + LOG);
  }

  static Path offsetIndex(Path partition, long baseOffset) {
    return partition.resolve(segmentName(baseOffset) + OFFSET_INDEX);
  }

  static Path timeIndex(Path partition, long baseOffset) {
    return partition.resolve(segmentName(baseOffset) + TIME_INDEX);
  }

  static Path spare(Path partition) {
    return partition.resolve(SPARE);
  }

  /**
   * The base offset in a segment file's name.
   *
   * @param suffix {@link #LOG}, {@link #OFFSET_INDEX} or {@link #TIME_INDEX}
   * @return empty if the name is not 20 digits of at most 2⁶³−1 and the suffix
   */
  static OptionalLong baseOffset(String name, String suffix) {
    if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
      return OptionalLong.empty();
    }
    String digits = name.substring(0, DIGITS);
    for (int i = 0; i < DIGITS; i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return OptionalLong.empty();
      }
    }
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  static Path cleaned(Path partition, long baseOffset) {
    return partition.resolve(segmentName(baseOffset) + CLEANED);
  }

  static Path swap(Path partition, OffsetRange range) {
    return partition.resolve(segmentName(range.from()) + "-" + segmentName(range.to()) + SWAP);
  }

  /** The offsets in the name of a {@link #SWAP} file; empty if it is none. */
  static Optional<OffsetRange> swapRange(String name) {
    if (name.length() < DIGITS + 1 || name.charAt(DIGITS) != '-') {
      return Optional.empty();
    }
    OptionalLong from = baseOffset(name.substring(0, DIGITS), "");
    OptionalLong to = baseOffset(name.substring(DIGITS + 1), SWAP);
    return from.isPresent() && to.isPresent() && from.getAsLong() < to.getAsLong()
        ? Optional.of(new OffsetRange(from.getAsLong(), to.getAsLong()))
        : Optional.empty();
  }

  /** What compactions have seen of a log. */
  static Path compaction(Path partition) {
    return partition.resolve("compaction");
  }

  /** Where the damaged ranges of a log are written down. */
  static Path damage(Path partition) {
    return partition.resolve("damage");
  }

  /** Whether a broker makes files of such a name in a partition's directory. */
  static boolean belongsInPartition(String name) {
    String whole =
        name.endsWith(TEMPORARY) ? name.substring(0, name.length() - TEMPORARY.length()) : name;
    return whole.equals(SPARE)
        || whole.equals("damage")
        || whole.equals("compaction")
        || swapRange(name).isPresent()
        || Stream.of(LOG, OFFSET_INDEX, TIME_INDEX, PRODUCERS, CLEANED)
            .anyMatch(suffix -> baseOffset(whole, suffix).isPresent());
  }

  private static String segmentName(long baseOffset) {
    if (baseOffset < 0) {
      throw new IllegalArgumentException("negative base offset " + baseOffset);
    }
    return "%020d".formatted(baseOffset);
  }
}
