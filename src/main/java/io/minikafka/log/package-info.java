/**
 * The local store: what {@link io.minikafka.partition.PartitionStore} promises, kept in files.
 *
 * <p>A partition's log is a row of segments; only the newest, active one grows. Each has a sparse
 * offset index and a time index, which are caches: the log alone is believed. Group commit makes
 * many logs durable with few forces; recovery brings back what was promised and cuts what was not.
 * docs/FORMAT.md draws the files.
 *
 * <p>Doors: {@link io.minikafka.log.LogDirectory} (all logs of one data directory), {@link
 * io.minikafka.log.OfflineLog} (what stands in a log, for tools). Called by app (opens and closes),
 * by cli without a broker and, through the seam, by partition; appends come from event loops, reads
 * from anywhere, forces run on the forcers and all other work on the worker. Nothing here makes a
 * thread or reads a clock.
 */
@NullMarked
package io.minikafka.log;

import org.jspecify.annotations.NullMarked;
