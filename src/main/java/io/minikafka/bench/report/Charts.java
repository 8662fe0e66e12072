package io.minikafka.bench.report;

import io.minikafka.bench.Column;
import io.minikafka.bench.Curves;
import io.minikafka.bench.Row;
import io.minikafka.bench.RowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws the curves of one run beside its rows, each as SVG and as PNG, and prints the names of the
 * SVG files, a line each. No display is needed.
 */
public final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  private Charts() {}

  /**
   * @param args the directory of the rows, and the run
   */
  public static void main(String[] args) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Path directory = Path.of(args[0]);
    List<Row> rows =
        RowFile.read(directory).stream()
            .filter(row -> row.text(Column.RUN).equals(args[1]))
            .toList();
    draw(rows, directory).forEach(System.out::println);
  }

  /** The names of the SVG files. */
  static List<String> draw(List<Row> rows, Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (Curves.Chart curves : Curves.of(rows)) {
      XYChart chart = chart(curves);
      String path = directory.resolve(curves.name()).toString();
      VectorGraphicsEncoder.saveVectorGraphic(
          chart, path, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
      BitmapEncoder.saveBitmap(chart, path, BitmapEncoder.BitmapFormat.PNG);
      names.add(curves.name() + ".svg");
    }
    return names;
  }

  private static XYChart chart(Curves.Chart curves) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(curves.title())
            .xAxisTitle(curves.xTitle())
            .yAxisTitle(curves.yTitle())
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    curves
        .series()
        .forEach((name, series) -> chart.addSeries(name, array(series.x()), array(series.y())));
    return chart;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
