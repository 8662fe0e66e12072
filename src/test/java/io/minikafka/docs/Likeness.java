package io.minikafka.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether an answer is what a document says, but for what is another one each time: ids, tokens,
 * times, durations, and what the document leaves out with "…". What stood for what is kept, so that
 * a later line can use it. Spaces and line ends count as one space, and beside brackets and commas
 * not at all.
 */
final class Likeness {
  /** In the order in which they are looked for at one place. */
  private enum Kind {
    UUID("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", true),
    TOKEN("\\b[0-9a-f]{32}\\b", true),
    TIME("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z", true),
    DURATION("\\b\\d+(?:\\.\\d+)?s\\b", false),
    SECONDS("\\b\\d+(?:\\.\\d+)? (?:ms|s|MB|MB/s|records/s|min|h)\\b", false),
    ADDRESS("\\b(?:localhost|127\\.0\\.0\\.1):\\d+\\b", false),
    LEFT_OUT("…", false);

    final String pattern;
    final boolean carried;

    Kind(String pattern, boolean carried) {
      this.pattern = pattern;
      this.carried = carried;
    }
  }

  private static final Pattern VOLATILE = Pattern.compile(alternatives());

  private final Map<String, String> now = new LinkedHashMap<>();

  private static String alternatives() {
    List<String> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      kinds.add("(?<" + kind.name().replace("_", "") + ">" + kind.pattern + ")");
    }
    return String.join("|", kinds);
  }

  /** What is typed today, where the document says this. */
  String typed(String line) {
    String typed = line;
    for (Map.Entry<String, String> pair : now.entrySet()) {
      typed = typed.replace(pair.getKey(), pair.getValue());
    }
    return typed;
  }

  /** Compares, and remembers what stands for what if they are alike. */
  boolean alike(String documented, String actual) {
    List<String> carried = new ArrayList<>();
    Matcher answer =
        Pattern.compile(pattern(flat(documented), carried), Pattern.DOTALL).matcher(flat(actual));
    if (!answer.matches()) {
      return false;
    }
    for (int i = 0; i < carried.size(); i++) {
      now.put(carried.get(i), answer.group(i + 1));
    }
    return true;
  }

  private static String pattern(String documented, List<String> carried) {
    StringBuilder pattern = new StringBuilder();
    Matcher found = VOLATILE.matcher(documented);
    int at = 0;
    while (found.find()) {
      pattern.append(Pattern.quote(documented.substring(at, found.start())));
      Kind kind = kindOf(found);
      if (kind == Kind.LEFT_OUT) {
        pattern.append(".*?");
      } else if (kind.carried) {
        carried.add(found.group());
        pattern.append('(').append(kind.pattern).append(')');
      } else {
        pattern.append("(?:").append(kind.pattern).append(')');
      }
      at = found.end();
    }
    return pattern.append(Pattern.quote(documented.substring(at))).toString();
  }

  private static Kind kindOf(Matcher found) {
    for (Kind kind : Kind.values()) {
      if (found.group(kind.name().replace("_", "")) != null) {
        return kind;
      }
    }
    throw new AssertionError(found.group());
  }

  private static String flat(String text) {
    return text.strip().replaceAll("\\s+", " ").replaceAll(" ?([{}\\[\\],:…]) ?", "$1");
  }
}
