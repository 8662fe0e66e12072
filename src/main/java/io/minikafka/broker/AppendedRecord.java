package io.minikafka.broker;

import io.minikafka.partition.Durability;

/** Where a record of an operator went. */
public sealed interface AppendedRecord {
  /** Its number. */
  int partition();

  /** It would be appended there. */
  record Checked(int partition) implements AppendedRecord {}

  /**
   * @param appendTime the broker's clock, ms
   * @param reached how safe it is
   */
  record Done(int partition, long offset, long appendTime, Durability reached)
      implements AppendedRecord {}

  /** It was not appended; its batch was refused. */
  record Failed(int partition, Refusal refusal) implements AppendedRecord {}
}
