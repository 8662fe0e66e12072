package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportPageTest {
  @Test
  void pageHasTheConditionsTheCurvesAndATableForEachExperiment() {
    assertEquals(
        """
        # Benchmarks

        Made from rows.csv; docs/BENCHMARKS.md says what the columns mean.

        | condition | |
        |---|---|
        | run | monday |
        | effort | 3 x 500 ms |
        | revision | abc |
        | jdk | 25 |
        | kernel | Linux |
        | cores | 2 |
        | load1 | 0.5 to 1.5 |

        ## The lines that matter

        …

        ![](consume-raw.svg)

        ## floor

        | floor | reps | records_per_s | mb_per_s | load1 |
        | --- | --- | --- | --- | --- |
        | source of 4096 B | 3 | 1000 | 4.096 | 0.5 |

        ## consume

        | system | client | record_bytes | fetch_bytes | consumers | group | reps | records_per_s | mb_per_s | wire_mb_per_s | floor_ratio | kafka_ratio | load1 |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
        | kafka | raw | 100 | 4096 | 1 | 0 | 3 | 16000 | 1.6 | 2.048 | 0.5 |  | 1.5 |
        | minikafka | raw | 100 | 4096 | 1 | 0 | 3 | 16000 | 1.6 | 2.048 | 0.5 | 2.5 | 1.5 |

        """,
        withoutLines(
            ReportPage.render(
                List.of(
                    floor(),
                    consume("kafka").build(),
                    consume("minikafka").measured(Column.KAFKA_RATIO, 2.5).build()),
                List.of("consume-raw.svg"))));
  }

  @Test
  void lastRunIsTheOneThatBeganLast() {
    assertEquals(
        "2026-02-01T00:00:00Z",
        ReportPage.lastRun(
            List.of(
                conditions("2026-01-31T12:00:00Z", 0).build(),
                conditions("2026-02-01T00:00:00Z", 0).build(),
                conditions("2026-01-31T12:00:00Z", 0).build())));
  }

  @Test
  void everyLineThatMattersStandsOnThePageWithItsBoundsAndWhetherItIsMet() {
    Row row = consume("minikafka").measured(Column.KAFKA_RATIO, 2.5).build();
    String page = ReportPage.render(List.of(row), List.of());
    for (Line line : Lines.ALL) {
      assertEquals(
          1, page.lines().filter(l -> l.startsWith("| " + line.inWords() + " | ")).count());
    }
    assertTrue(page.contains("| consume 100 B, to Kafka | 2.5 | ≥ 2 | ≥ 2 | met |"), page);
    assertTrue(
        page.contains("| memory of an idle connection |  | ≤ 20 KiB | ≤ 20 KiB | not measured |"),
        page);
  }

  private static String withoutLines(String page) {
    return page.replaceAll("(?s)(## The lines that matter\n\n).*?\n\n", "$1…\n\n");
  }

  private static Row floor() {
    return conditions("monday", 0.5)
        .text(Column.EXPERIMENT, "floor")
        .text(Column.FLOOR, "source of 4096 B")
        .count(Column.REPS, 3)
        .measured(Column.RECORDS_PER_S, 1000)
        .measured(Column.MB_PER_S, 4.096)
        .build();
  }

  private static Row.Builder consume(String system) {
    return conditions("monday", 1.5)
        .text(Column.EXPERIMENT, "consume")
        .text(Column.SYSTEM, system)
        .text(Column.CLIENT, "raw")
        .count(Column.RECORD_BYTES, 100)
        .count(Column.FETCH_BYTES, 4096)
        .count(Column.CONSUMERS, 1)
        .count(Column.GROUP, 0)
        .count(Column.REPS, 3)
        .measured(Column.RECORDS_PER_S, 16_000)
        .measured(Column.MB_PER_S, 1.6)
        .measured(Column.WIRE_MB_PER_S, 2.048)
        .measured(Column.FLOOR_RATIO, 0.5);
  }

  private static Row.Builder conditions(String run, double load) {
    return Row.builder()
        .text(Column.RUN, run)
        .text(Column.EFFORT, "3 x 500 ms")
        .text(Column.REVISION, "abc")
        .text(Column.JDK, "25")
        .text(Column.KERNEL, "Linux")
        .count(Column.CORES, 2)
        .measured(Column.LOAD1, load);
  }
}
