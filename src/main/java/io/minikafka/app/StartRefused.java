package io.minikafka.app;

/**
 * The service cannot start for a reason an operator can mend: a directory that cannot be written, a
 * port that is taken. Thrown while starting; {@code serve} prints the message, one line that says
 * what to do, without a stack trace, and exits with 1.
 */
public final class StartRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartRefused(String message) {
    super(message);
  }

  public StartRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
