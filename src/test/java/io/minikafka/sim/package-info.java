/**
 * A world that can be replayed by its seed: a disk that loses what was not forced, a clock moved by
 * hand, executors that run in a seeded order, and a model of what a partition promises.
 *
 * <p>Doors: {@link io.minikafka.sim.SimDisk}, {@link io.minikafka.sim.SimClock}, {@link
 * io.minikafka.sim.SimExecutor} (the seams of the engine, for any test), {@link
 * io.minikafka.sim.World} (random lives of partitions, compared with {@link
 * io.minikafka.sim.ModelLog}), {@link io.minikafka.sim.PartitionStoreContract} (what every store
 * must do). Everything runs on the test's one thread.
 */
@NullMarked
package io.minikafka.sim;

import org.jspecify.annotations.NullMarked;
