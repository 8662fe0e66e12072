/**
 * The windows: metrics, health, and the log of what an operator should know.
 *
 * <p>Doors: {@link io.minikafka.ops.MetricsObserver} (counts what the engine reports), {@link
 * io.minikafka.ops.EngineGauges} (what is measured when it is asked for), {@link
 * io.minikafka.ops.PartitionMeters} (the same for each partition, within a bound), {@link
 * io.minikafka.ops.EventLog} (says what is rare), {@link io.minikafka.ops.NodeStatus} (what health
 * answers from; {@code app} implements it). {@link io.minikafka.ops.MeterNames} is the table of all
 * metrics; docs/METRICS.md is checked against it.
 *
 * <p>The engine calls the observers on any thread, event loops too; the container calls the health
 * checks and reads the metrics on its own.
 */
@NullMarked
package io.minikafka.ops;

import org.jspecify.annotations.NullMarked;
