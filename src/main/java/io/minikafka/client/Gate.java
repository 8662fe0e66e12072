package io.minikafka.client;

/**
 * Who has a say in what a consumer may read, and takes its turn whenever something could have
 * changed. The polling thread's alone.
 */
interface Gate {
  /** Everything may be read. */
  Gate OPEN =
      new Gate() {
        @Override
        public boolean turn() {
          return true;
        }

        @Override
        public boolean isOpen() {
          return true;
        }
      };

  /** Changes what is assigned, perhaps; whether records may be read and returned then. */
  boolean turn();

  /** Whether records that were just read may still be returned; once false, they never may. */
  boolean isOpen();
}
