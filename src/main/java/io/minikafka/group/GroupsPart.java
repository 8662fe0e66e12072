package io.minikafka.group;

import java.util.List;

/**
 * Some of the groups, by name.
 *
 * @param more whether others follow
 */
public record GroupsPart(List<GroupDescription> groups, boolean more) {
  public GroupsPart {
    groups = List.copyOf(groups);
  }

  /** The name of the last one; empty if there is none. */
  public String last() {
    return groups.isEmpty() ? "" : groups.getLast().summary().group();
  }
}
