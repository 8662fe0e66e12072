/**
 * Draws the curves of a run. The only package that needs XChart and {@code java.desktop}: both stay
 * out of the broker's runtime, so it runs in a process of its own, with what the build puts into
 * {@code target/report}.
 *
 * <p>Doors: {@link io.minikafka.bench.report.Charts}, a main class; nothing imports this package.
 */
@NullMarked
package io.minikafka.bench.report;

import org.jspecify.annotations.NullMarked;
