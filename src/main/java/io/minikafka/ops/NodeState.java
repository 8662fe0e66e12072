package io.minikafka.ops;

/** Where the broker is in its life. */
public sealed interface NodeState {
  /** It builds its objects and takes the data directory. */
  record Starting() implements NodeState {}

  /**
   * It brings partitions back; the data port is closed.
   *
   * @param opened partitions that are done
   * @param total of how many; 0 as long as the catalog has not been read
   */
  record Recovering(int opened, int total) implements NodeState {}

  /**
   * The data port is open.
   *
   * @param port the data port in use
   */
  record Serving(int port) implements NodeState {}

  /** It stops: what was under way is finished, nothing new is taken. */
  record Draining() implements NodeState {}

  /** It has stopped. */
  record Stopped() implements NodeState {}

  /**
   * It can no longer keep its promises and ends.
   *
   * @param reason one line for the operator
   */
  record Failed(String reason) implements NodeState {}
}
