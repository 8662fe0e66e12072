package io.minikafka.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What came of one point, with its conditions. Immutable. A column without a value is left empty:
 * nothing is guessed.
 */
public final class Row {
  /** More digits than any of these measurements has. */
  private static final int DIGITS = 5;

  private final Map<Column, Cell> cells;

  private Row(Map<Column, Cell> cells) {
    this.cells = cells;
  }

  /**
   * @param text as it is written
   */
  record Cell(String text, boolean isNumber) {}

  static Builder builder() {
    return new Builder(new EnumMap<>(Column.class));
  }

  /** A builder that begins with what is here. */
  Builder with() {
    return new Builder(new EnumMap<>(cells));
  }

  Optional<Cell> cell(Column column) {
    return Optional.ofNullable(cells.get(column));
  }

  /** As it is written; empty text if there is none. */
  public String text(Column column) {
    return cell(column).map(Cell::text).orElse("");
  }

  /** Empty if there is no value, or if it is none. */
  OptionalDouble number(Column column) {
    return cell(column)
        .filter(Cell::isNumber)
        .map(cell -> OptionalDouble.of(Double.parseDouble(cell.text())))
        .orElse(OptionalDouble.empty());
  }

  /** So many digits, without an exponent; integers are not cut. */
  static String digits(double value, int digits) {
    return Math.abs(value) >= Math.pow(10, digits - 1)
        ? BigDecimal.valueOf(Math.round(value)).toPlainString()
        : new BigDecimal(value).round(new MathContext(digits)).stripTrailingZeros().toPlainString();
  }

  /** Collects the cells; one thread. */
  static final class Builder {
    private final Map<Column, Cell> cells;

    private Builder(Map<Column, Cell> cells) {
      this.cells = cells;
    }

    Builder cell(Column column, Cell cell) {
      cells.put(column, cell);
      return this;
    }

    /** Empty text is no value and leaves it empty. */
    Builder text(Column column, String value) {
      return value.isEmpty() ? this : cell(column, new Cell(value, false));
    }

    Builder count(Column column, long value) {
      return cell(column, new Cell(Long.toString(value), true));
    }

    /** Five digits; integers are not cut. NaN and infinity are no values and leave it empty. */
    Builder measured(Column column, double value) {
      if (Double.isFinite(value)) {
        cells.put(column, new Cell(digits(value, DIGITS), true));
      }
      return this;
    }

    Builder measured(Column column, OptionalDouble value) {
      value.ifPresent(number -> measured(column, number));
      return this;
    }

    Row build() {
      return new Row(new EnumMap<>(cells));
    }
  }
}
