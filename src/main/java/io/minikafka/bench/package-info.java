/**
 * Measurements that name their conditions: throughput and latency of a broker, beside the floor of
 * the machine in the same run.
 *
 * <p>Doors: {@link io.minikafka.bench.Plan} (what is to be measured), {@link
 * io.minikafka.bench.Bench} (measures it), {@link io.minikafka.bench.RowFile} (keeps the rows),
 * {@link io.minikafka.bench.OwnBroker} (a broker for the time of a run), {@link
 * io.minikafka.bench.IdleProcess} (what the process that holds idle connections does), {@link
 * io.minikafka.bench.ReportPage} (the page). Called by the command line on its main thread; each
 * load runs on a thread of its own, which ends with the point it belongs to.
 *
 * <p>A plan is a list of {@link io.minikafka.bench.Point}s; a point gives one {@link
 * io.minikafka.bench.Row}, or two, and they are written before the next point begins.
 * docs/BENCHMARKS.md says what the columns mean.
 */
@NullMarked
package io.minikafka.bench;

import org.jspecify.annotations.NullMarked;
