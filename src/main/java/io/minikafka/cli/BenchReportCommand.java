package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.bench.Column;
import io.minikafka.bench.ReportPage;
import io.minikafka.bench.Row;
import io.minikafka.bench.RowFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a page of the rows of a run. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes a page with curves out of the rows of a run; the rows stay.",
    footer = {
      "",
      "Examples:",
      "  minikafka bench report",
      "  minikafka bench report --out results/monday --run 2026-01-31T12:00:00Z"
    })
final class BenchReportCommand implements Callable<Integer> {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "bench-results",
      description = "Where the rows are and the page goes (bench-results).")
  Path out = Path.of("bench-results");

  @Option(
      names = "--run",
      paramLabel = "RUN",
      split = ",",
      description =
          "Which runs, as their rows have them (the last); the curves are of the first of them.")
  List<String> runs = List.of();

  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Row> all = RowFile.read(out);
    List<String> wanted = runs.isEmpty() ? List.of(ReportPage.lastRun(all)) : runs;
    List<Row> rows = all.stream().filter(row -> wanted.contains(row.text(Column.RUN))).toList();
    for (String run : wanted) {
      if (rows.stream().noneMatch(row -> row.text(Column.RUN).equals(run))) {
        throw new IOException("%s has no rows of run '%s'".formatted(out, run));
      }
    }
    List<String> images = new BenchCurves(spec.commandLine().getErr()).draw(out, wanted.getFirst());
    Path page = out.resolve("report.md");
    Files.writeString(page, ReportPage.render(rows, images));
    spec.commandLine()
        .getErr()
        .println(
            "%s of run %s: %s"
                .formatted(Counted.of(rows.size(), "row"), String.join(", ", wanted), page));
    return 0;
  }
}
