/**
 * The seam between what a broker does with a partition and where its bytes are kept.
 *
 * <p>Below it is {@link io.minikafka.partition.PartitionStore}: offsets, batches and blobs, no file
 * and no position. Above it, in {@link io.minikafka.partition.Partition}, is what every store
 * shares: the order of appends, offsets, marker stamping, what an acknowledgement waits for, and
 * the high watermark.
 *
 * <p>Doors: {@link io.minikafka.partition.Partition}, {@link
 * io.minikafka.partition.PartitionStore}, {@link io.minikafka.partition.ReadResult}, {@link
 * io.minikafka.partition.AppendTimeLookup}, {@link io.minikafka.partition.DeletionOutlook}, {@link
 * io.minikafka.partition.MetaStore}. Called by broker, coordinator and topic; appends come from
 * event loops, forces complete on the store's threads.
 */
@NullMarked
package io.minikafka.partition;

import org.jspecify.annotations.NullMarked;
