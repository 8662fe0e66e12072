package io.minikafka.net;

/**
 * Bounds of the connections of the HTTP port.
 *
 * @param maxConnections open at once; for one more another one is closed, or it is closed itself
 * @param requestTimeoutMs for a request to come whole, from the connection's beginning or from the
 *     request's first byte, and for the first byte of an answer over HTTP/1
 * @param idleTimeoutMs without any request; 0 for no limit
 * @param sendTimeoutMs in which nothing of an answer that is there was taken
 */
public record HttpSettings(
    int maxConnections, long requestTimeoutMs, long idleTimeoutMs, long sendTimeoutMs) {}
