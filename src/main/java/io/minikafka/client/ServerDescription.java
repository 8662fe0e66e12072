package io.minikafka.client;

/**
 * Who answered.
 *
 * @param protocolVersion 0 or 1: what this client and the server speak with each other
 * @param clusterId empty text from a server that speaks version 0
 * @param serverVersion empty text from a server that speaks version 0
 * @param maxFrameBytes largest frame the server takes
 */
public record ServerDescription(
    int protocolVersion, String clusterId, String serverVersion, int maxFrameBytes) {}
