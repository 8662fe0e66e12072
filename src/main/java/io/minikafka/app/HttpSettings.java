package io.minikafka.app;

import io.smallrye.config.WithDefault;

/** Bounds of the HTTP port, {@code minikafka.http.}. */
public interface HttpSettings {
  /**
   * Connections open at once; for one more the oldest that waits for no answer is closed. More:
   * more descriptors. Less: fewer open streams and scrapers.
   */
  @WithDefault("256")
  int maxConnections();

  /**
   * Milliseconds a client may take for a whole request, from connecting or from the request's first
   * byte, and over HTTP/1 the broker for the first byte of its answer. More: half requests hold
   * their connections longer. Less: slow ones are cut off.
   */
  @WithDefault("10000")
  long requestTimeoutMs();

  /**
   * Milliseconds a connection may be without any request before it is closed; 0 never closes it. An
   * open stream is a request under way. More: dead clients hold a connection longer. Less: quiet
   * ones reconnect more.
   */
  @WithDefault("600000")
  long idleTimeoutMs();

  /**
   * Milliseconds in which a client may take nothing of an answer that is there before its
   * connection is closed. More: clients that stand still hold a connection longer. Less: slow ones
   * are cut off.
   */
  @WithDefault("30000")
  long sendTimeoutMs();
}
