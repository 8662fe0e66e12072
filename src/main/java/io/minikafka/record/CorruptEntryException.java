package io.minikafka.record;

/** Bytes that should be an entry are not. The message names the offset that was expected there. */
public final class CorruptEntryException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final long offset;

  public CorruptEntryException(long offset, String what) {
    super("corrupt entry at offset %d: %s".formatted(offset, what));
    this.offset = offset;
  }

  /** Where the walk stood: everything below was good. */
  public long offset() {
    return offset;
  }
}
