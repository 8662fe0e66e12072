package io.minikafka.client;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong between a client and its server. The subclasses say what that means for the
 * data: whether the server refused ({@link ServerException}), whether it may have acted ({@link
 * UnknownOutcomeException}), or whether it certainly has not ({@link NotSentException}, {@link
 * BufferFullException}).
 */
public abstract sealed class MinikafkaException extends RuntimeException
    permits BufferFullException,
        CommitRefusedException,
        ConnectionException,
        FencedInstanceException,
        FetchException,
        NotSentException,
        ServerException,
        UnknownOutcomeException,
        UnsupportedByServerException,
        WakeupException {
  private static final long serialVersionUID = 1;

  MinikafkaException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
