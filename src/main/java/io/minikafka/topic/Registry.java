package io.minikafka.topic;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The topics that can be looked up, at one moment. Immutable; a change makes another. */
final class Registry {
  static final Registry EMPTY = new Registry(new TreeMap<>(), new HashMap<>());

  private final Map<String, Topic> byName;
  private final Map<UUID, Topic> byId;

  /** Every topic, by name. */
  private final List<Topic> sorted;

  private Registry(TreeMap<String, Topic> byName, Map<UUID, Topic> byId) {
    this.byName = Collections.unmodifiableMap(new HashMap<>(byName));
    this.byId = Collections.unmodifiableMap(byId);
    this.sorted = List.copyOf(byName.values());
  }

  static Registry of(Collection<Topic> topics) {
    TreeMap<String, Topic> byName = new TreeMap<>();
    Map<UUID, Topic> byId = new HashMap<>();
    for (Topic topic : topics) {
      byName.put(topic.name(), topic);
      byId.put(topic.id(), topic);
    }
    return new Registry(byName, byId);
  }

  /** With a topic that is new, or takes the place of the one of the same id. */
  Registry with(Topic topic) {
    TreeMap<String, Topic> names = new TreeMap<>(byName);
    names.put(topic.name(), topic);
    Map<UUID, Topic> ids = new HashMap<>(byId);
    ids.put(topic.id(), topic);
    return new Registry(names, ids);
  }

  Registry without(Topic topic) {
    TreeMap<String, Topic> names = new TreeMap<>(byName);
    names.remove(topic.name());
    Map<UUID, Topic> ids = new HashMap<>(byId);
    ids.remove(topic.id());
    return new Registry(names, ids);
  }

  Optional<Topic> topic(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Optional<Topic> topic(UUID id) {
    return Optional.ofNullable(byId.get(id));
  }

  List<Topic> topics() {
    return sorted;
  }

  long partitions() {
    return sorted.stream().mapToLong(topic -> topic.partitions().size()).sum();
  }
}
