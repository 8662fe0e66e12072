package io.minikafka.client;

/**
 * Hears what became of a record; exactly one of the two, exactly once. Runs on the client's own
 * thread (or, for a record that was refused at once, on the sender's), in the order the records of
 * a partition were sent. It must be short and must not block: it holds back the acknowledgements
 * behind it.
 */
public interface SendCallback {
  void acknowledged(Ack ack);

  void failed(MinikafkaException failure);
}
