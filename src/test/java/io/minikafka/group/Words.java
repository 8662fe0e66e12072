package io.minikafka.group;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A command of a scenario: a verb, who does it, plain words, and {@code name=value} ones. */
final class Words {
  private static final Set<String> OF_NOBODY =
      Set.of(
          "limits",
          "topics",
          "fetch",
          "fetch0",
          "close",
          "hold",
          "free",
          "wait",
          "jump",
          "tick",
          "stalled",
          "restart",
          "cut",
          "sweep",
          "set",
          "undo",
          "deleteOffsets",
          "deleteGroup",
          "describe");

  private final String verb;
  private final String who;
  private final List<String> rest = new ArrayList<>();
  private final Map<String, String> values = new HashMap<>();

  Words(String line) {
    List<String> words = List.of(line.strip().split("\\s+"));
    verb = words.getFirst();
    boolean nobody = OF_NOBODY.contains(verb) || words.size() < 2;
    who = nobody ? "" : words.get(1);
    for (String word : words.subList(nobody ? 1 : 2, words.size())) {
      int index = word.indexOf('=');
      if (index < 0) {
        rest.add(word);
      } else {
        values.put(word.substring(0, index), word.substring(index + 1));
      }
    }
  }

  String verb() {
    return verb;
  }

  String who() {
    return who;
  }

  String label() {
    return who.isEmpty() ? verb : who + " " + verb;
  }

  List<String> rest() {
    return rest;
  }

  String firstOr(String otherwise) {
    return rest.isEmpty() ? otherwise : rest.getFirst();
  }

  boolean has(String word) {
    return rest.contains(word) || values.containsKey(word);
  }

  String value(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  long number(String name, long otherwise) {
    return values.containsKey(name) ? Long.parseLong(values.get(name)) : otherwise;
  }

  long number(int index) {
    return Long.parseLong(rest.get(index));
  }
}
