package io.minikafka.topic;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What the catalog holds. Immutable.
 *
 * @param topics by name
 * @param deleting ids of topics that are gone and of which bytes may be left
 */
record CatalogContent(Map<String, TopicEntry> topics, Set<UUID> deleting) {
  static final CatalogContent EMPTY = new CatalogContent(Map.of(), Set.of());

  CatalogContent {
    topics = Collections.unmodifiableMap(new TreeMap<>(topics));
    deleting = Collections.unmodifiableSet(new TreeSet<>(deleting));
  }

  /** With a topic that is new, or takes the place of the one of the same name. */
  CatalogContent with(TopicEntry entry) {
    Map<String, TopicEntry> changed = new TreeMap<>(topics);
    changed.put(entry.name(), entry);
    return new CatalogContent(changed, deleting);
  }

  /** Without a topic; its id is kept until its bytes are gone. */
  CatalogContent deleting(TopicEntry entry) {
    Map<String, TopicEntry> changed = new TreeMap<>(topics);
    changed.remove(entry.name());
    Set<UUID> gone = new LinkedHashSet<>(deleting);
    gone.add(entry.id());
    return new CatalogContent(changed, gone);
  }

  CatalogContent forgetting(Collection<UUID> ids) {
    Set<UUID> left = new LinkedHashSet<>(deleting);
    left.removeAll(ids);
    return new CatalogContent(topics, left);
  }

  /** Every id that owns bytes. */
  Set<UUID> ids() {
    Set<UUID> ids = new LinkedHashSet<>(deleting);
    topics.values().forEach(entry -> ids.add(entry.id()));
    return ids;
  }
}
