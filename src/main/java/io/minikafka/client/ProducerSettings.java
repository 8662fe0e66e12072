package io.minikafka.client;

import io.minikafka.record.Entry;

/**
 * How a producer batches, how much it holds and what it asks for. Immutable.
 *
 * @param batchRecords most records in a batch; default 10,000. 1: each record is a batch of its own
 * @param batchBytes most bytes of a batch; default 128 KiB. More makes fewer, larger requests; a
 *     record that is larger still goes, as a batch of its own
 * @param lingerMs how long a batch that is not full waits for more; default 0: it is sent as soon
 *     as nothing else of its partition is in flight, so that batches grow with the load and a lone
 *     record never waits
 * @param maxInFlight most batches of one partition sent and not yet answered; default 5. Their
 *     order is kept
 * @param maxBufferedBytes most bytes of records taken and not yet answered, over all partitions;
 *     default 32 MiB. The heap used is up to twice that, as buffers grow by doubling
 * @param whenFull what {@code send} does when {@code maxBufferedBytes} is reached; default {@link
 *     WhenFull#BLOCK}
 * @param maxBlockMs longest time {@code send} blocks, for memory or for the first news of a topic;
 *     then the record fails; default 60,000
 * @param durability what an acknowledgement must promise; default {@link Durability#TOPIC_POLICY}
 * @param keyless where records without a key and without a partition go; default {@link
 *     Keyless#STICKY}
 * @param metadataMaxAgeMs after which what is known of a topic is asked for again with the next
 *     record, so that added partitions get records too; default 300,000. It is also asked for again
 *     when the server says that it is wrong
 */
public record ProducerSettings(
    ClientSettings client,
    int batchRecords,
    int batchBytes,
    int lingerMs,
    int maxInFlight,
    int maxBufferedBytes,
    WhenFull whenFull,
    int maxBlockMs,
    Durability durability,
    Keyless keyless,
    int metadataMaxAgeMs) {
  /** Most that {@code batchRecords} may be. */
  public static final int MAX_BATCH_RECORDS = 1_000_000;

  /** Most that {@code lingerMs} may be: a day. */
  public static final int MAX_LINGER_MS = 24 * 60 * 60 * 1000;

  private static final int MAX_MS = 24 * 60 * 60 * 1000;

  public ProducerSettings {
    Bounds.within("batchRecords", batchRecords, 1, MAX_BATCH_RECORDS);
    Bounds.within("batchBytes", batchBytes, 1, Entry.MAX_PAYLOAD_BYTES);
    Bounds.within("lingerMs", lingerMs, 0, MAX_LINGER_MS);
    Bounds.within("maxInFlight", maxInFlight, 1, 1_000);
    Bounds.within("maxBufferedBytes", maxBufferedBytes, 1, Integer.MAX_VALUE);
    Bounds.within("maxBlockMs", maxBlockMs, 0, MAX_MS);
    Bounds.within("metadataMaxAgeMs", metadataMaxAgeMs, 1, MAX_MS);
  }

  /** What a producer does when it holds as much as it may. */
  public enum WhenFull {
    /** {@code send} waits until there is room, at most {@code maxBlockMs}. */
    BLOCK,
    /** The record fails at once with {@link BufferFullException}. */
    FAIL
  }

  /** Where records go that name neither partition nor key. */
  public enum Keyless {
    /**
     * All to one partition until its batch is sealed, then to the next: batches are as full as can
     * be, and over time the partitions get equal shares.
     */
    STICKY,
    /** Each to the partition after the one before it: even at once, with smaller batches. */
    ROUND_ROBIN
  }

  /** The defaults. */
  public static ProducerSettings of(ServerAddress server) {
    return builder(ClientSettings.of(server)).build();
  }

  public static Builder builder(ClientSettings client) {
    return new Builder(client);
  }

  /** Collects settings; not for use by several threads. */
  public static final class Builder {
    private final ClientSettings client;
    private int batchRecords = 10_000;
    private int batchBytes = 128 << 10;
    private int lingerMs = 0;
    private int maxInFlight = 5;
    private int maxBufferedBytes = 32 << 20;
    private WhenFull whenFull = WhenFull.BLOCK;
    private int maxBlockMs = 60_000;
    private Durability durability = Durability.TOPIC_POLICY;
    private Keyless keyless = Keyless.STICKY;
    private int metadataMaxAgeMs = 5 * 60 * 1000;

    private Builder(ClientSettings client) {
      this.client = client;
    }

    public Builder batchRecords(int value) {
      batchRecords = value;
      return this;
    }

    public Builder batchBytes(int value) {
      batchBytes = value;
      return this;
    }

    public Builder lingerMs(int value) {
      lingerMs = value;
      return this;
    }

    public Builder maxInFlight(int value) {
      maxInFlight = value;
      return this;
    }

    public Builder maxBufferedBytes(int value) {
      maxBufferedBytes = value;
      return this;
    }

    public Builder whenFull(WhenFull value) {
      whenFull = value;
      return this;
    }

    public Builder maxBlockMs(int value) {
      maxBlockMs = value;
      return this;
    }

    public Builder durability(Durability value) {
      durability = value;
      return this;
    }

    public Builder keyless(Keyless value) {
      keyless = value;
      return this;
    }

    public Builder metadataMaxAgeMs(int value) {
      metadataMaxAgeMs = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException naming the setting that is out of bounds, and the bounds
     */
    public ProducerSettings build() {
      return new ProducerSettings(
          client,
          batchRecords,
          batchBytes,
          lingerMs,
          maxInFlight,
          maxBufferedBytes,
          whenFull,
          maxBlockMs,
          durability,
          keyless,
          metadataMaxAgeMs);
    }
  }
}
