package io.minikafka.ops;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text format of Prometheus (0.0.4), read strictly: what is not in the format, or against its
 * conventions, is an {@link IllegalArgumentException} that names the line.
 *
 * <p>Held to: HELP and TYPE once a family and before its samples; a family's lines together; legal
 * names and escapes; no series twice; counters end in {@code _total} and are not negative; buckets
 * rise, up to {@code +Inf}, which equals the count.
 */
public final class PrometheusText {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") (.*)");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram|summary|untyped)");
  private static final Pattern SAMPLE =
      Pattern.compile("(" + NAME + ")(?:\\{(.*)\\})? (\\S+)(?: (-?\\d+))?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  /** One metric with all its series. */
  public record Family(String name, String type, String help, List<Sample> samples) {}

  /** One line. */
  public record Sample(String name, Map<String, String> labels, double value) {}

  private static final Family NONE = new Family("", "untyped", "", List.of());

  private final Map<String, Family> families = new LinkedHashMap<>();
  private final Set<String> series = new HashSet<>();
  private String open = "";
  private String help = "";

  private PrometheusText() {}

  /** Families by name, in the order of the text. */
  public static Map<String, Family> parse(String text) {
    if (!text.isEmpty() && !text.endsWith("\n")) {
      throw new IllegalArgumentException("the last line has no end");
    }
    PrometheusText parser = new PrometheusText();
    text.lines().forEach(parser::line);
    parser.families.values().forEach(PrometheusText::check);
    return parser.families;
  }

  private void line(String line) {
    Matcher typeLine = TYPE.matcher(line);
    Matcher helpLine = HELP.matcher(line);
    Matcher sample = SAMPLE.matcher(line);
    if (helpLine.matches()) {
      help = line;
      require(!families.containsKey(helpLine.group(1)), "HELP after its samples", line);
    } else if (typeLine.matches()) {
      String name = typeLine.group(1);
      require(help.startsWith("# HELP " + name + " "), "no HELP before", line);
      open = name;
      Family family =
          new Family(
              name,
              typeLine.group(2),
              help.substring(("# HELP " + name + " ").length()),
              new ArrayList<>());
      require(families.put(name, family) == null, "a family in two places", line);
    } else if (sample.matches()) {
      sample(line, sample);
    } else {
      throw new IllegalArgumentException("not in the format: " + line);
    }
  }

  private void sample(String line, Matcher found) {
    Family family = families.getOrDefault(open, NONE);
    require(belongs(found.group(1), family), "outside of its family", line);
    Map<String, String> labels = labels(line, found.group(2) == null ? "" : found.group(2));
    require(series.add(found.group(1) + new TreeMap<>(labels)), "a series twice", line);
    family.samples.add(new Sample(found.group(1), labels, value(found.group(3))));
  }

  private static boolean belongs(String name, Family family) {
    return switch (family.type) {
      case "histogram" ->
          name.equals(family.name + "_bucket")
              || name.equals(family.name + "_sum")
              || name.equals(family.name + "_count");
      case "summary" ->
          name.equals(family.name)
              || name.equals(family.name + "_sum")
              || name.equals(family.name + "_count");
      default -> name.equals(family.name);
    };
  }

  private static Map<String, String> labels(String line, String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    Matcher label = LABEL.matcher(text);
    int at = 0;
    while (at < text.length()) {
      require(label.find(at) && label.start() == at, "illegal labels", line);
      require(labels.put(label.group(1), label.group(2)) == null, "a label twice", line);
      at = label.end();
    }
    return labels;
  }

  private static double value(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static void check(Family family) {
    switch (family.type) {
      case "counter" -> {
        require(family.name.endsWith("_total"), "a counter without _total", family.name);
        family.samples.forEach(
            sample -> require(sample.value >= 0, "a negative counter", family.name));
      }
      case "histogram" -> checkBuckets(family);
      default -> require(!family.name.endsWith("_total"), "_total on no counter", family.name);
    }
  }

  private static void checkBuckets(Family family) {
    Map<Map<String, String>, List<Sample>> buckets = new HashMap<>();
    Map<Map<String, String>, Double> counts = new HashMap<>();
    for (Sample sample : family.samples) {
      Map<String, String> labels = new HashMap<>(sample.labels);
      if (sample.name.endsWith("_bucket")) {
        require(labels.remove("le") != null, "a bucket without le", family.name);
        buckets.computeIfAbsent(labels, l -> new ArrayList<>()).add(sample);
      } else if (sample.name.endsWith("_count")) {
        counts.put(labels, sample.value);
      }
    }
    require(buckets.keySet().equals(counts.keySet()), "buckets without a count", family.name);
    buckets.forEach(
        (labels, all) -> {
          List<Sample> sorted =
              all.stream()
                  .sorted(Comparator.comparingDouble(sample -> value(limit(sample))))
                  .toList();
          for (int i = 1; i < sorted.size(); i++) {
            require(
                sorted.get(i - 1).value <= sorted.get(i).value, "buckets that fall", family.name);
          }
          require(limit(sorted.getLast()).equals("+Inf"), "no +Inf bucket", family.name);
          require(
              sorted.getLast().value == counts.getOrDefault(labels, Double.NaN),
              "+Inf is not the count",
              family.name);
        });
  }

  private static String limit(Sample bucket) {
    return bucket.labels.getOrDefault("le", "");
  }

  private static void require(boolean holds, String problem, String where) {
    if (!holds) {
      throw new IllegalArgumentException(problem + ": " + where);
    }
  }
}
