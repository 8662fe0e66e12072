package io.minikafka.bench;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One figure that a release has to reach, taken out of the rows of a run. Immutable.
 *
 * @param target what is aimed at
 * @param required what there must be at least (or at most)
 * @param isAtLeast whether more is better
 */
record Line(
    String inWords, Figure figure, String unit, double target, double required, boolean isAtLeast) {
  /** Finds the value; empty if its rows were not measured. */
  interface Figure {
    OptionalDouble of(List<Row> rows);
  }

  static Line atLeast(String inWords, double target, double required, Figure figure) {
    return new Line(inWords, figure, "", target, required, true);
  }

  static Line atMost(String inWords, double target, double required, Figure figure) {
    return new Line(inWords, figure, "", target, required, false);
  }

  Line in(String unitOfAll) {
    return new Line(inWords, figure, unitOfAll, target, required, isAtLeast);
  }

  /** What became of it. */
  String verdict(List<Row> rows) {
    OptionalDouble value = figure.of(rows);
    if (value.isEmpty()) {
      return "not measured";
    }
    if (holds(value.getAsDouble(), target)) {
      return "met";
    }
    return holds(value.getAsDouble(), required) ? "met, below the target" : "NOT MET";
  }

  private boolean holds(double value, double bound) {
    return isAtLeast ? value >= bound : value <= bound;
  }

  /** As a bound of it is written. */
  String bound(double bound) {
    return (isAtLeast ? "≥ " : "≤ ") + Row.digits(bound, 3) + unit;
  }

  String value(List<Row> rows) {
    OptionalDouble value = figure.of(rows);
    return value.isPresent() ? Row.digits(value.getAsDouble(), 3) + unit : "";
  }
}
