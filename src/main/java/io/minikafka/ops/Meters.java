package io.minikafka.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of {@link MeterNames}, each with the labels its row says. Any thread.
 *
 * <p>Misuse: values of labels must come from a small fixed set, or be removed again.
 */
final class Meters {
  /** Upper bounds of the histograms' buckets: from a write into the page cache to a sick disk. */
  private static final Duration[] BUCKETS = {
    micros(10),
    micros(25),
    micros(50),
    micros(100),
    micros(250),
    micros(500),
    micros(1_000),
    micros(2_500),
    micros(5_000),
    micros(10_000),
    micros(25_000),
    micros(50_000),
    micros(100_000),
    micros(250_000),
    micros(500_000),
    micros(1_000_000),
    micros(2_500_000),
    micros(5_000_000),
    micros(10_000_000)
  };

  private final MeterRegistry registry;

  Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  Counter counter(MeterNames name, String... values) {
    return Counter.builder(name.meter())
        .description(name.description())
        .baseUnit(unit(name))
        .tags(tags(name, MeterNames.Kind.COUNTER, values))
        .register(registry);
  }

  /** Counted by somebody else, who is asked whenever somebody looks. */
  FunctionCounter counter(MeterNames name, DoubleSupplier source, String... values) {
    // Such a counter holds its object weakly: the registry lives as long as it does.
    return FunctionCounter.builder(name.meter(), registry, held -> source.getAsDouble())
        .description(name.description())
        .baseUnit(unit(name))
        .tags(tags(name, MeterNames.Kind.COUNTER, values))
        .register(registry);
  }

  Timer timer(MeterNames name, String... values) {
    return Timer.builder(name.meter())
        .description(name.description())
        .tags(tags(name, MeterNames.Kind.TIMER, values))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  /** Asked whenever somebody looks; keeps the source alive until it is removed. */
  Gauge gauge(MeterNames name, DoubleSupplier source, String... values) {
    return Gauge.builder(name.meter(), source::getAsDouble)
        .description(name.description())
        .baseUnit(unit(name))
        .tags(tags(name, MeterNames.Kind.GAUGE, values))
        .register(registry);
  }

  void remove(Meter meter) {
    registry.remove(meter);
  }

  private static List<Tag> tags(MeterNames name, MeterNames.Kind kind, String... values) {
    List<String> labels = name.labels();
    if (name.kind() != kind || labels.size() != values.length) {
      throw new IllegalArgumentException(name + " is a " + name.kind() + " with labels " + labels);
    }
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      tags.add(Tag.of(labels.get(i), values[i]));
    }
    return tags;
  }

  /** The registry wants none rather than an empty one. */
  private static @Nullable String unit(MeterNames name) {
    return name.unit().isEmpty() ? null : name.unit();
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }
}
