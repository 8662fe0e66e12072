package io.minikafka.topic;

import io.minikafka.Counted;
import io.minikafka.partition.PartitionStores;
import java.io.IOException;
import java.util.Optional;

/**
 * A start without a catalog: of a new data directory nothing is said; one that lost its catalog is
 * not taken for one. One thread, before anything else is opened.
 */
final class MissingCatalog {
  private static final System.Logger LOG = System.getLogger(MissingCatalog.class.getName());

  private final PartitionStores stores;
  private final TopicCatalog catalog;

  MissingCatalog(PartitionStores stores, TopicCatalog catalog) {
    this.stores = stores;
    this.catalog = catalog;
  }

  /**
   * @param accepted whether to go on with an empty catalog if there are records of topics
   * @throws IOException whose message is for the operator, if there are and it is not
   */
  void begin(boolean accepted) throws IOException {
    int found = stores.topicsFound().size();
    if (found == 0) {
      return;
    }
    if (!accepted) {
      throw new IOException(
          ("the topic catalog %s is missing, and there are records of %s. Put back a copy of"
                  + " this file from a backup of the same data directory; or, to go on without these"
                  + " topics, start once with -D minikafka.storage.accept-missing-catalog=true, which"
                  + " moves their directories to set-aside")
              .formatted(catalog.place(), Counted.of(found, "topic")));
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "the topic catalog {0} is missing; records of {1} topics are set aside, as was asked for",
        catalog.place(),
        found);
    Optional<TopicError> error = catalog.replace(CatalogContent.EMPTY);
    if (error.isPresent()) {
      throw new IOException(error.get().message());
    }
  }
}
