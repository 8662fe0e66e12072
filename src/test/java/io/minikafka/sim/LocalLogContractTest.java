package io.minikafka.sim;

/** The local log keeps the contract. */
class LocalLogContractTest extends PartitionStoreContract {
  @Override
  Stack stack() {
    return Stack.local();
  }
}
