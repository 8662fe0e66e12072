/**
 * The one format of a record and a batch, the same bytes on the wire and on disk; docs/FORMAT.md
 * draws it.
 *
 * <p>Doors: {@link io.minikafka.record.Entry} (fields of an entry in a buffer), {@link
 * io.minikafka.record.BatchMarker} (what stands before a batch), {@link
 * io.minikafka.record.BatchCheck} (is this produce whole and legal), {@link
 * io.minikafka.record.BatchBuilder} (write one), {@link io.minikafka.record.RecordReader} (read
 * records back), {@link io.minikafka.record.V0Entries} (what a version 0 client gets to see).
 * Called by client, partition and log, on any thread: what holds state belongs to one thread.
 */
@NullMarked
package io.minikafka.record;

import org.jspecify.annotations.NullMarked;
