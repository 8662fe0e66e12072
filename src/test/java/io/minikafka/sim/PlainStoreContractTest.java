package io.minikafka.sim;

/** The yardstick keeps the contract it measures. */
class PlainStoreContractTest extends PartitionStoreContract {
  @Override
  Stack stack() {
    return Stack.plain();
  }
}
