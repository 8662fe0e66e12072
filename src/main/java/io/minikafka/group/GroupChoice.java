package io.minikafka.group;

import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Which groups are looked at, so that one look is short. Immutable.
 *
 * @param after only names behind this one; empty for the beginning
 * @param names only these; empty for all
 * @param mostGroups at most so many
 * @param mostPartitions no further group once those before have so many commits and owned
 *     partitions
 */
public record GroupChoice(
    String after, Optional<NavigableSet<String>> names, int mostGroups, int mostPartitions) {
  public GroupChoice {
    names = names.map(TreeSet::new);
  }

  public GroupChoice behind(String name) {
    return new GroupChoice(name, names, mostGroups, mostPartitions);
  }

  public GroupChoice atMost(int groups) {
    return new GroupChoice(after, names, groups, mostPartitions);
  }
}
