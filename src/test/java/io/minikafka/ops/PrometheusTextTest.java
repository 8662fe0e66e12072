package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {
  private static final String HEAD = "# HELP a_total A.\n# TYPE a_total counter\n";
  private static final String HISTOGRAM = "# HELP h H.\n# TYPE h histogram\n";

  @Test
  void whatIsInTheFormatIsRead() {
    var families =
        PrometheusText.parse(
            HEAD
                + "a_total{x=\"1\",y=\"a\\\"b\\\\\"} 3.0\na_total 4\n"
                + HISTOGRAM
                + "h_bucket{le=\"0.5\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_sum 7.5\nh_count 2\n");
    assertEquals(3.0, Objects.requireNonNull(families.get("a_total")).samples().getFirst().value());
    assertEquals("A.", Objects.requireNonNull(families.get("a_total")).help());
    assertEquals(4, Objects.requireNonNull(families.get("h")).samples().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HEAD + "a_total 1",
        HEAD + "a_total\n",
        HEAD + "a_total{x=1} 1\n",
        HEAD + "a_total{x=\"\\q\"} 1\n",
        HEAD + "a_total{x=\"1\",x=\"2\"} 1\n",
        HEAD + "a_total 1\na_total 2\n",
        HEAD + "a_total -1\n",
        HEAD + "a_total one\n",
        HEAD + "b 1\n",
        HEAD + "a_total 1\n" + HEAD,
        "a_total 1\n",
        "# TYPE a_total counter\na_total 1\n",
        "# HELP a A.\n# TYPE a counter\na 1\n",
        "# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n",
        HISTOGRAM + "h_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
        HISTOGRAM + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
        HISTOGRAM + "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n",
        HISTOGRAM + "h_bucket{le=\"+Inf\"} 1\nh_sum 1\n",
      })
  void whatIsNotIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> PrometheusText.parse(text));
  }
}
