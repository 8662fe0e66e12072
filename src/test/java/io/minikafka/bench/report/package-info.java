/** The drawing, without a display. */
@NullMarked
package io.minikafka.bench.report;

import org.jspecify.annotations.NullMarked;
