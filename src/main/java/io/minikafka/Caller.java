package io.minikafka;

/**
 * On whose behalf the broker does something. Every broker method takes one, so that quotas, rights
 * and the log of what happened need no second way in.
 *
 * @param connection number of the connection, unique within one run of the broker; 0 for the broker
 *     itself, negative for calls that come over HTTP or gRPC
 * @param principal who was authenticated, {@code "anonymous"} if nobody was
 * @param clientName what the client calls itself in Hello; empty if it did not say
 * @param host the peer's address as text; empty for the broker itself
 */
public record Caller(long connection, String principal, String clientName, String host) {
  /** The broker acting on its own account: housekeeping, start-up, shutdown. */
  public static final Caller BROKER = new Caller(0, "broker", "", "");

  public static final String ANONYMOUS = "anonymous";
}
