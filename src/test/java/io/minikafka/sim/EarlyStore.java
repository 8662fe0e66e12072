package io.minikafka.sim;

import io.minikafka.partition.PartitionStore;

/** Broken on purpose: says that all is durable as soon as it is written. */
final class EarlyStore extends ForwardingStore {
  private Listener listener = new Deaf();

  EarlyStore(PartitionStore to) {
    super(to);
  }

  @Override
  public Snapshot snapshot() {
    Snapshot now = to.snapshot();
    return new Snapshot(
        now.epoch(), now.start(), now.end(), now.end(), now.lastAppendTime(), now.offline());
  }

  @Override
  public void flush() {
    to.flush();
    listener.onDurable(snapshot().durable());
  }

  @Override
  public void listen(Listener progress) {
    listener = progress;
    to.listen(progress);
  }

  /** Nobody listens. */
  private static final class Deaf implements Listener {
    @Override
    public void onDurable(long durable) {}

    @Override
    public void onStart(long start) {}

    @Override
    public void onOffline(String reason) {}
  }
}
