package io.minikafka.sim;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names in one directory, twice: as processes see them, and as they are on stable storage.
 *
 * <p>What is not forced is kept or lost name by name. The harsher of what file systems do: no
 * journal orders different names (ext4 and xfs would keep a prefix of all changes), only changes of
 * the same name keep their order, and a rename is one change of two names. A rename from one
 * directory to another may leave both names, never none.
 */
final class DirectoryImage implements Node {
  final Map<String, Node> seen = new TreeMap<>();
  private Map<String, Node> stable = new TreeMap<>();
  private final List<Change> unforced = new ArrayList<>();

  /**
   * One change of names.
   *
   * @param removed name that goes, or null
   * @param added name that comes or is replaced, or null
   * @param node what {@code added} leads to
   * @param needs the other half of a rename from here to another directory
   */
  private record Change(
      @Nullable String removed, @Nullable String added, @Nullable Node node, @Nullable Half needs) {

    boolean touchesSameNameAs(Change other) {
      return touches(other.removed) || touches(other.added);
    }

    private boolean touches(@Nullable String name) {
      return name != null && (name.equals(removed) || name.equals(added));
    }
  }

  private record Half(DirectoryImage directory, Change change) {}

  void add(String name, Node node) {
    seen.put(name, node);
    unforced.add(new Change(null, name, node, null));
  }

  void remove(String name) {
    seen.remove(name);
    unforced.add(new Change(name, null, null, null));
  }

  void rename(String from, DirectoryImage target, String to) {
    Node node = seen.get(from);
    if (node == null) {
      throw new AssertionError("no such name: " + from);
    }
    seen.remove(from);
    target.seen.put(to, node);
    if (target == this) {
      unforced.add(new Change(from, to, node, null));
    } else {
      Change link = new Change(null, to, node, null);
      target.unforced.add(link);
      unforced.add(new Change(from, null, null, new Half(target, link)));
    }
  }

  void force() {
    while (!unforced.isEmpty()) {
      force(0);
    }
  }

  private void force(int index) {
    Change change = unforced.remove(index);
    Half needs = change.needs;
    if (needs != null) {
      needs.directory.forceUpTo(needs.change);
    }
    apply(change);
  }

  /** Forces one change with whatever came before it under the same names. */
  private void forceUpTo(Change wanted) {
    int at = indexOf(wanted);
    if (at < 0) {
      return;
    }
    for (int i = 0; i < at; ) {
      if (unforced.get(i).touchesSameNameAs(wanted)) {
        forceUpTo(unforced.get(i));
        at = indexOf(wanted);
      } else {
        i++;
      }
    }
    force(indexOf(wanted));
  }

  private int indexOf(Change wanted) {
    for (int i = 0; i < unforced.size(); i++) {
      if (unforced.get(i) == wanted) {
        return i;
      }
    }
    return -1;
  }

  private void apply(Change change) {
    if (change.removed != null) {
      stable.remove(change.removed);
    }
    if (change.added != null && change.node != null) {
      stable.put(change.added, change.node);
    }
  }

  /**
   * Decides which unforced changes reached the disk; {@link #settle} for all directories follows.
   */
  void crash(Random random) {
    int mood = random.nextInt(4);
    if (mood == 0) {
      return;
    }
    if (mood == 1) {
      force();
      return;
    }
    for (Change change : List.copyOf(unforced)) {
      if (random.nextBoolean()) {
        forceUpTo(change);
      }
    }
  }

  /** What did not reach the disk is gone. */
  void settle() {
    unforced.clear();
    seen.clear();
    seen.putAll(stable);
    stable = new TreeMap<>(seen);
  }

  /** Every directory below, this one first, as processes see them or as they are stable. */
  void collect(List<DirectoryImage> into) {
    if (into.contains(this)) {
      return;
    }
    into.add(this);
    Iterator<Node> nodes =
        java.util.stream.Stream.concat(seen.values().stream(), stable.values().stream()).iterator();
    while (nodes.hasNext()) {
      if (nodes.next() instanceof DirectoryImage directory) {
        directory.collect(into);
      }
    }
  }

  /** Whether every name is on stable storage. */
  boolean isForced() {
    return unforced.isEmpty();
  }
}
