/**
 * The parts of the bench that decide something: the schedule, the percentiles, the ratios, the rows
 * and the plan. That all of it works together is for {@code BenchIT} to show.
 */
@NullMarked
package io.minikafka.bench;

import org.jspecify.annotations.NullMarked;
