package io.minikafka.codec;

/**
 * Bytes that are not what the codec expects: too short, too long, a count or a length beyond what
 * is there, text that is not UTF-8. The message names the field. Carries no stack trace: it is an
 * answer to bad input, thrown often when somebody sends garbage.
 */
public final class MalformedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedException(String message) {
    super(message, null, false, false);
  }
}
