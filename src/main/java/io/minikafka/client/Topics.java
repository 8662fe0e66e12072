package io.minikafka.client;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What one client has learnt of topics. Any thread; nothing blocks. */
final class Topics {
  private final Link link;
  private final Map<String, TopicInfo> known = new ConcurrentHashMap<>();

  Topics(Link link) {
    this.link = link;
  }

  /** From memory, else from the server; fails with {@link ServerException} UNKNOWN_TOPIC. */
  CompletableFuture<TopicInfo> info(String name) {
    TopicInfo info = known.get(name);
    int version = link.current().map(session -> session.dialect().version()).orElse(-1);
    // What version 0 told has no id: useless to version 1.
    return info != null && (version < 0 || info.version() == version)
        ? CompletableFuture.completedFuture(info)
        : refresh(name);
  }

  /** From the server. */
  CompletableFuture<TopicInfo> refresh(String name) {
    known.remove(name);
    return link.session()
        .thenCompose(session -> session.dialect().topic(name))
        .thenApply(
            info -> {
              known.put(name, info);
              return info;
            });
  }

  void forget(String name) {
    known.remove(name);
  }
}
