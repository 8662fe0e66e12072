package io.minikafka.topic;

import io.minikafka.codec.MalformedException;
import io.minikafka.partition.MetaStore;
import io.minikafka.partition.NoRoomException;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which topics exist, as one value that is replaced as a whole: after a crash at any point
 * the old one or the new one is there.
 *
 * <p><b>A write that failed</b> is looked at again. If the old value is still in its place nothing
 * has happened. If not, nobody can tell whether the new one survives the next crash; then nothing
 * is changed any more until the next start, which will see what there is: {@link #unsure}.
 *
 * <p>One thread at a time; every call may block.
 */
final class TopicCatalog {
  static final String VALUE = "topics";

  private final MetaStore meta;
  private CatalogContent content;
  private long version;
  private @Nullable TopicError unsure;

  private TopicCatalog(MetaStore meta, CatalogContent content, long version) {
    this.meta = meta;
    this.content = content;
    this.version = version;
  }

  /**
   * @throws IOException if it cannot be read, or is damaged: never is a damaged catalog taken for
   *     an empty one, because everything would then look like a stranger's
   */
  static TopicCatalog open(MetaStore meta) throws IOException {
    try {
      Optional<MetaStore.Versioned> stored = meta.read(VALUE);
      return stored.isEmpty()
          ? new TopicCatalog(meta, CatalogContent.EMPTY, 0)
          : new TopicCatalog(
              meta, CatalogFormat.decode(stored.get().value()), stored.get().version());
    } catch (IOException | MalformedException e) {
      throw new IOException(
          ("the topic catalog %s cannot be used: %s. Nothing was changed. Put back a copy of this"
                  + " file from a backup of the same data directory, or start with the version of"
                  + " minikafka that wrote it")
              .formatted(meta.place(VALUE), e.getMessage()),
          e);
    }
  }

  /** Whether none was ever written here, or it was lost. */
  boolean isMissing() {
    return version == 0;
  }

  String place() {
    return meta.place(VALUE);
  }

  CatalogContent content() {
    return content;
  }

  /** Present once a write failed so that its outcome shows only at the next start. */
  Optional<TopicError> unsure() {
    return Optional.ofNullable(unsure);
  }

  /**
   * @return empty when {@code next} is durable and {@link #content}; otherwise why not, and {@link
   *     #content} is what it was
   */
  Optional<TopicError> replace(CatalogContent next) {
    return replace(next, meta::replace);
  }

  /** The same for a change that lets room be made: it succeeds on a full disk too. */
  Optional<TopicError> replaceFromReserve(CatalogContent next) {
    return replace(next, meta::replaceFromReserve);
  }

  private interface Way {
    boolean replace(String name, ByteBuffer value, long expectedVersion) throws IOException;
  }

  private Optional<TopicError> replace(CatalogContent next, Way way) {
    if (unsure != null) {
      return Optional.of(unsure);
    }
    try {
      if (!way.replace(VALUE, CatalogFormat.encode(next), version)) {
        return fail("somebody else has changed it");
      }
    } catch (IOException e) {
      return oldIsInPlace() ? Optional.of(unchanged(e)) : fail(String.valueOf(e.getMessage()));
    }
    content = next;
    version++;
    return Optional.empty();
  }

  private boolean oldIsInPlace() {
    try {
      return meta.read(VALUE).map(MetaStore.Versioned::version).orElse(0L) == version;
    } catch (IOException e) {
      return false;
    }
  }

  private TopicError unchanged(IOException e) {
    boolean full = e instanceof DiskFullException || e instanceof NoRoomException;
    return full
        ? TopicError.of(
            ErrorCode.DISK_FULL,
            "no room on the broker's disk for the topic catalog; nothing was changed")
        : TopicError.of(
            ErrorCode.STORAGE_FAILED,
            "the topic catalog could not be written (%s); nothing was changed"
                .formatted(e.getMessage()));
  }

  private Optional<TopicError> fail(String reason) {
    unsure =
        TopicError.of(
            ErrorCode.STORAGE_FAILED,
            "writing the topic catalog failed (%s) and whether the last change holds shows at the"
                    .formatted(reason)
                + " next start; until then no topic can be changed");
    return Optional.of(unsure);
  }
}
