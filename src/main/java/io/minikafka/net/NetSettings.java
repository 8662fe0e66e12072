package io.minikafka.net;

/**
 * Where the data port listens, and its bounds.
 *
 * @param host address or name to listen on; {@code ::} is every address, IPv4 too
 * @param port 0 for any that is free
 * @param eventLoops connections are spread over so many
 * @param maxFrameBytes of a request, without its length field; a longer one closes its connection
 *     before anything is allocated
 * @param maxConnections one more is closed at once
 * @param idleTimeoutMs silence with no request under way; 0 for no limit
 * @param frameTimeoutMs from the first to the last byte of a frame
 * @param sendTimeoutMs without the client taking a byte of an answer that waits for it
 * @param connectionInFlightBytes of requests and answers of one connection, beyond which it is not
 *     read from; a single larger frame is served all the same
 * @param totalInFlightBytes of memory for requests and answers of all connections
 * @param sendfileMinBytes a shorter slice is copied
 * @param sendBufferBytes of answers that the kernel holds for a connection; 0 leaves it to the
 *     kernel
 */
public record NetSettings(
    String host,
    int port,
    int eventLoops,
    int maxFrameBytes,
    int maxConnections,
    long idleTimeoutMs,
    long frameTimeoutMs,
    long sendTimeoutMs,
    long connectionInFlightBytes,
    long totalInFlightBytes,
    int sendfileMinBytes,
    int sendBufferBytes) {}
