package io.minikafka.admin;

/** How fast a client takes what it is sent. Any thread. */
interface Outlet {
  /**
   * Runs {@code work} on the call's event loop when the client has taken enough of what was sent
   * before this; never if the call was cancelled. One at a time.
   */
  void whenReady(Runnable work);
}
