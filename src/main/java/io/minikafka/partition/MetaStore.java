package io.minikafka.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Keeps small named values that must survive any crash, replaced as a whole and only by somebody
 * who has seen the newest: the topic catalog, the epochs. Safe from any thread; may block.
 */
public interface MetaStore {
  /**
   * @throws IOException also if the value is there but damaged; the message names it
   */
  Optional<Versioned> read(String name) throws IOException;

  /**
   * Replaces a value, durably when this returns.
   *
   * @param expectedVersion of the value to be replaced; 0 if there must be none yet
   * @return false, and nothing changed, if the version is another
   */
  boolean replace(String name, ByteBuffer value, long expectedVersion) throws IOException;

  /**
   * The same, on a full disk too, if anything is held in reserve for that: only for what lets room
   * be made, and takes next to none itself.
   */
  default boolean replaceFromReserve(String name, ByteBuffer value, long expectedVersion)
      throws IOException {
    return replace(name, value, expectedVersion);
  }

  /** Where a value is kept, for the operator who is told that it is damaged. */
  default String place(String name) {
    return "'" + name + "'";
  }

  /**
   * @param version 1 or more, rises by one with each replacement
   */
  record Versioned(ByteBuffer value, long version) {}
}
