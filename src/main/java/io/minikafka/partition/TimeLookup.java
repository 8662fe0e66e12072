package io.minikafka.partition;

/**
 * What a lookup by time found.
 *
 * @param offset −1 if there is no such record
 * @param timestamp of that record, ms; −1 if there is none
 */
public record TimeLookup(long offset, long timestamp) {
  public static final TimeLookup NONE = new TimeLookup(-1, -1);
}
