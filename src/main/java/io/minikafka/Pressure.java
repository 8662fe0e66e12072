package io.minikafka;

/**
 * Whether something bounded is full, and when it no longer is. Whoever feeds it asks before taking
 * more in, and stops reading from its source meanwhile. Safe from any thread.
 */
public interface Pressure {
  /** Nothing is ever full. */
  Pressure NONE =
      new Pressure() {
        @Override
        public boolean exceeded() {
          return false;
        }

        @Override
        public void whenRelieved(Runnable work) {
          work.run();
        }
      };

  boolean exceeded();

  /**
   * Runs {@code work} once, when the bound is no longer exceeded; at once if it is not. On
   * whichever thread relieved it: short, never blocks.
   */
  void whenRelieved(Runnable work);
}
