package io.minikafka.sim;

/**
 * The simulated process is dead: whoever still calls the disk gets this. An error, so that no code
 * under test mistakes it for an I/O failure it could answer to.
 */
public final class PowerOff extends Error {
  private static final long serialVersionUID = 1;

  PowerOff(String message) {
    super(message);
  }
}
