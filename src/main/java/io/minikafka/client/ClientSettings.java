package io.minikafka.client;

import io.minikafka.protocol.Frames;

/**
 * How a client finds its server and how patient it is. Immutable; every setting but the server has
 * a default.
 *
 * @param server whom to ask
 * @param clientName what the server shows for this client; default {@code minikafka-java}
 * @param connectTimeoutMs for one attempt to connect and to greet; default 10,000. Less notices a
 *     dead host sooner, and gives up on a slow one
 * @param requestTimeoutMs from sending a request to its answer; default 30,000. A produce without
 *     an answer by then has an unknown outcome
 * @param outageMs how long attempts to connect are repeated before what waits for a connection
 *     fails; default 30,000. 0: one attempt
 * @param backoffMs pause after the first failed attempt to connect, doubled after each further one;
 *     default 50
 * @param maxBackoffMs longest such pause; default 2,000
 * @param maxFrameBytes largest answer that is accepted; default 64 MiB
 */
public record ClientSettings(
    ServerAddress server,
    String clientName,
    int connectTimeoutMs,
    int requestTimeoutMs,
    int outageMs,
    int backoffMs,
    int maxBackoffMs,
    int maxFrameBytes) {
  private static final int MAX_MS = 24 * 60 * 60 * 1000;

  public ClientSettings {
    Bounds.within("client name length", clientName.length(), 0, 200);
    Bounds.within("connectTimeoutMs", connectTimeoutMs, 1, MAX_MS);
    Bounds.within("requestTimeoutMs", requestTimeoutMs, 1, MAX_MS);
    Bounds.within("outageMs", outageMs, 0, MAX_MS);
    Bounds.within("backoffMs", backoffMs, 1, MAX_MS);
    Bounds.within("maxBackoffMs", maxBackoffMs, backoffMs, MAX_MS);
    Bounds.within("maxFrameBytes", maxFrameBytes, 1 << 10, 1 << 30);
  }

  /** The defaults. */
  public static ClientSettings of(ServerAddress server) {
    return builder(server).build();
  }

  public static Builder builder(ServerAddress server) {
    return new Builder(server);
  }

  /** Collects settings; not for use by several threads. */
  public static final class Builder {
    private final ServerAddress server;
    private String clientName = "minikafka-java";
    private int connectTimeoutMs = 10_000;
    private int requestTimeoutMs = 30_000;
    private int outageMs = 30_000;
    private int backoffMs = 50;
    private int maxBackoffMs = 2_000;
    private int maxFrameBytes = Frames.DEFAULT_MAX_FRAME_BYTES;

    private Builder(ServerAddress server) {
      this.server = server;
    }

    public Builder clientName(String value) {
      clientName = value;
      return this;
    }

    public Builder connectTimeoutMs(int value) {
      connectTimeoutMs = value;
      return this;
    }

    public Builder requestTimeoutMs(int value) {
      requestTimeoutMs = value;
      return this;
    }

    public Builder outageMs(int value) {
      outageMs = value;
      return this;
    }

    /** First and longest pause between attempts to connect. */
    public Builder backoffMs(int first, int longest) {
      backoffMs = first;
      maxBackoffMs = longest;
      return this;
    }

    public Builder maxFrameBytes(int value) {
      maxFrameBytes = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException naming the setting that is out of bounds, and the bounds
     */
    public ClientSettings build() {
      return new ClientSettings(
          server,
          clientName,
          connectTimeoutMs,
          requestTimeoutMs,
          outageMs,
          backoffMs,
          maxBackoffMs,
          maxFrameBytes);
    }
  }
}
