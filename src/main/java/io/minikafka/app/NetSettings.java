package io.minikafka.app;

import io.smallrye.config.WithDefault;

/** Bounds of the data port, {@code minikafka.net.}; at each the client gets an error or waits. */
public interface NetSettings {
  /**
   * Event loops that connections are spread over; 0 for as many as there are processors. More:
   * connections disturb each other less. Less: fewer threads compete for the processors.
   */
  @WithDefault("0")
  int eventLoops();

  /**
   * Bytes of the largest frame; a longer one closes its connection before anything is allocated.
   * More: one client can hold more memory. Less: large batches do not fit.
   */
  @WithDefault("67108864")
  int maxFrameBytes();

  /** Connections served at once; one more is closed at once. More: more descriptors. */
  @WithDefault("10000")
  int maxConnections();

  /**
   * Percent of the descriptors the process may have that connections take at most. More: more of
   * them with a low limit. Less: more is left for partitions.
   */
  @WithDefault("25")
  int connectionDescriptorsPercent();

  /**
   * Milliseconds a connection may be silent, with no request under way, before it is closed; 0
   * never closes it. More: dead clients hold a connection longer. Less: quiet ones reconnect more.
   */
  @WithDefault("600000")
  long idleTimeoutMs();

  /**
   * Milliseconds a client may take between the first and the last byte of a frame. More: a stuck
   * client holds its buffer longer. Less: large frames on slow links are cut off.
   */
  @WithDefault("30000")
  long frameTimeoutMs();

  /**
   * Milliseconds a client may leave an answer without taking any byte of it before it is closed.
   * More: a stuck reader pins segments longer. Less: slow readers are cut off.
   */
  @WithDefault("30000")
  long sendTimeoutMs();

  /**
   * Bytes of requests and answers under way on one connection beyond which it is not read from; a
   * single larger frame is still served. More: deeper pipelines. Less: less memory a client.
   */
  @WithDefault("33554432")
  long connectionInFlightBytes();

  /**
   * The same over all connections; never more than a quarter of the memory outside the heap that
   * the process may take beyond 32 MiB (a line at start says so).
   */
  @WithDefault("268435456")
  long totalInFlightBytes();

  /** Fetches that may wait for records at once; one more is refused. More: more memory. */
  @WithDefault("10000")
  int maxParkedFetches();

  /**
   * Milliseconds a fetch may wait at most, whatever it asks. More: fewer empty answers. Less: a
   * dead client is noticed sooner.
   */
  @WithDefault("60000")
  long maxFetchWaitMs();

  /**
   * Bytes of records in one fetch answer at most, whatever it asks; a single larger batch still
   * comes whole. More: fewer round trips. Less: fairer sharing between readers.
   */
  @WithDefault("16777216")
  int maxFetchBytes();

  /**
   * Topics that one request for metadata may name; one with more is refused. More: one request
   * holds up its event loop longer. Less: clients of many topics ask more often.
   */
  @WithDefault("100000")
  int maxRequestTopics();

  /**
   * Bytes from which a slice is sent by sendfile instead of being copied. More: more copies. Less:
   * more system calls for little data.
   */
  @WithDefault("16384")
  int sendfileMinBytes();

  /**
   * Bytes of answers that the kernel holds for a connection until its client takes them; 0 leaves
   * it to the kernel. More: fewer turns for large answers, and a faster client far away. Less: what
   * is sent is still in the processor's cache when it is read.
   */
  @WithDefault("524288")
  int sendBufferBytes();
}
