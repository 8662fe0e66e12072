package io.minikafka.sim;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The simulated process is dead: whoever still calls the disk gets this. An error, so that no code
 * under test mistakes it for an I/O failure it could answer to.
 */
public final class PowerOff extends Error {
  private static final long serialVersionUID = 1;

  /** The engine logs what troubles and kills it; in a simulation that is the daily round. */
  public static void keepOutOfLogs() {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFilter(
          record ->
              record.getLevel().intValue() >= Level.SEVERE.intValue()
                  && !(record.getThrown() instanceof PowerOff));
    }
  }

  PowerOff(String message) {
    super(message);
  }
}
