package io.minikafka.client;

/**
 * How a consumer fetches. Immutable.
 *
 * @param reset where to begin without a position, and when the position is out of range; default
 *     {@link ResetPolicy#EARLIEST}
 * @param fetchMaxBytes most bytes of one answer over all partitions; default 4 MiB. More costs
 *     memory (about three answers are held) and saves round trips. One record larger than this
 *     still comes
 * @param partitionMaxBytes most bytes of one answer from one partition; default 1 MiB
 * @param fetchMinBytes the server waits until so many bytes are there (or {@code fetchMaxWaitMs}
 *     have passed); default 1: the first record wakes it
 * @param fetchMaxWaitMs longest time the server holds a fetch; default 500. Independent of {@code
 *     poll}'s own wait: a fetch outlives the poll that sent it
 * @param maxPollRecords most records one {@code poll} returns; default 10,000. The rest comes with
 *     the next, without asking the server
 * @param losses hears of offsets that are passed over; default {@link LossListener#NONE}
 */
public record ConsumerSettings(
    ClientSettings client,
    ResetPolicy reset,
    int fetchMaxBytes,
    int partitionMaxBytes,
    int fetchMinBytes,
    int fetchMaxWaitMs,
    int maxPollRecords,
    LossListener losses) {
  private static final int MAX_MS = 24 * 60 * 60 * 1000;

  public ConsumerSettings {
    Bounds.within("fetchMaxBytes", fetchMaxBytes, 1, 1 << 30);
    Bounds.within("partitionMaxBytes", partitionMaxBytes, 1, 1 << 30);
    Bounds.within("fetchMinBytes", fetchMinBytes, 1, fetchMaxBytes);
    Bounds.within("fetchMaxWaitMs", fetchMaxWaitMs, 0, MAX_MS);
    Bounds.within("maxPollRecords", maxPollRecords, 1, Integer.MAX_VALUE);
  }

  /** The defaults. */
  public static ConsumerSettings of(ServerAddress server) {
    return builder(ClientSettings.of(server)).build();
  }

  public static Builder builder(ClientSettings client) {
    return new Builder(client);
  }

  /** Collects settings; not for use by several threads. */
  public static final class Builder {
    private final ClientSettings client;
    private ResetPolicy reset = ResetPolicy.EARLIEST;
    private int fetchMaxBytes = 4 << 20;
    private int partitionMaxBytes = 1 << 20;
    private int fetchMinBytes = 1;
    private int fetchMaxWaitMs = 500;
    private int maxPollRecords = 10_000;
    private LossListener losses = LossListener.NONE;

    private Builder(ClientSettings client) {
      this.client = client;
    }

    public Builder reset(ResetPolicy value) {
      reset = value;
      return this;
    }

    public Builder fetchMaxBytes(int value) {
      fetchMaxBytes = value;
      return this;
    }

    public Builder partitionMaxBytes(int value) {
      partitionMaxBytes = value;
      return this;
    }

    public Builder fetchMinBytes(int value) {
      fetchMinBytes = value;
      return this;
    }

    public Builder fetchMaxWaitMs(int value) {
      fetchMaxWaitMs = value;
      return this;
    }

    public Builder maxPollRecords(int value) {
      maxPollRecords = value;
      return this;
    }

    public Builder losses(LossListener value) {
      losses = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException naming the setting that is out of bounds, and the bounds
     */
    public ConsumerSettings build() {
      return new ConsumerSettings(
          client,
          reset,
          fetchMaxBytes,
          partitionMaxBytes,
          fetchMinBytes,
          fetchMaxWaitMs,
          maxPollRecords,
          losses);
    }
  }
}
