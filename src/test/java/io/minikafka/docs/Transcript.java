package io.minikafka.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What somebody typed and saw: the blocks of a document that are fenced as {@code console}. A line
 * that begins with "$ " is typed, with those that follow while it ends in a backslash; what stands
 * below it was the answer.
 */
final class Transcript {
  private static final Pattern BLOCK =
      Pattern.compile("^```console\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final String PROMPT = "$ ";

  private final StringBuilder text = new StringBuilder();
  private final List<Step> steps = new ArrayList<>();

  /**
   * One line that was typed.
   *
   * @param line without the prompt; may go over several lines
   * @param answer stripped
   * @param from where the answer begins in the document, to {@code to}
   */
  record Step(String line, String answer, int from, int to) {}

  Transcript(String document) {
    text.append(document);
    for (MatchResult block : BLOCK.matcher(document).results().toList()) {
      read(block.group(1), block.start(1));
    }
  }

  private void read(String block, int begin) {
    int at = 0;
    while (at < block.length()) {
      if (!block.startsWith(PROMPT, at)) {
        throw new IllegalArgumentException("no prompt at: " + block.substring(at).strip());
      }
      int end = lineEnd(block, at);
      while (block.charAt(end - 2) == '\\') {
        end = lineEnd(block, end);
      }
      int next = end;
      while (next < block.length() && !block.startsWith(PROMPT, next)) {
        next = lineEnd(block, next);
      }
      String line = block.substring(at + PROMPT.length(), end).strip();
      String answer = block.substring(end, next).strip();
      steps.add(new Step(line, answer, begin + end, begin + next));
      at = next;
    }
  }

  private static int lineEnd(String block, int from) {
    return block.indexOf('\n', from) + 1;
  }

  List<Step> steps() {
    return steps;
  }

  /**
   * The document with other answers.
   *
   * @param answers one for each step, in order
   */
  String with(List<String> answers) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      boolean last = changed.charAt(step.to()) == '`';
      String answer = answers.get(i).isEmpty() ? "" : answers.get(i) + "\n";
      changed.replace(step.from(), step.to(), last ? answer : answer + "\n");
    }
    return changed.toString();
  }
}
