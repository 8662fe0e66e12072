package io.minikafka.partition;

/**
 * Offsets {@code from} … {@code to} − 1 cannot be read: their bytes are kept, but are not what was
 * written, or are missing.
 *
 * @param from first damaged offset; a batch boundary
 * @param to first good offset behind it
 * @param segmentBase base offset of the segment they lie in
 * @param position where in that segment the bad bytes begin
 * @param bytes how many there are; 0 if they are missing altogether
 * @param what is wrong, for people
 * @param foundMs when it was found first, by the broker's clock; 0 if that is not known
 */
public record DamagedRange(
    long from, long to, long segmentBase, long position, long bytes, String what, long foundMs) {}
