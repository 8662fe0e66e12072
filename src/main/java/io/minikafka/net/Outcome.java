package io.minikafka.net;

import io.minikafka.broker.Reply;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;

/** What is to be sent for a request. Either encoded or discarded, once. */
sealed interface Outcome {
  void encode(int correlationId, ResponseEncoder out);

  /** Nobody will get it: releases what it holds. */
  void discard();

  /** Whether the connection ends with it. */
  boolean closes();

  /** The frame's api or version is unknown: an error without a body, whatever the version. */
  record Unknown(int version, ErrorCode code) implements Outcome {
    @Override
    public void encode(int correlationId, ResponseEncoder out) {
      out.error(correlationId, version == 0 ? code.forVersion0() : code);
    }

    @Override
    public void discard() {}

    @Override
    public boolean closes() {
      return false;
    }
  }

  /**
   * What the broker said.
   *
   * @param maxFrameBytes of the answer; a fetch keeps its own bound
   */
  record Replied<R>(Call<?, R> call, Reply<R> reply, int maxFrameBytes) implements Outcome {
    private static final System.Logger LOG = System.getLogger(Outcome.class.getName());

    @Override
    public void encode(int correlationId, ResponseEncoder out) {
      switch (reply) {
        case Reply.Failure<R>(ErrorCode code, String message) ->
            fail(correlationId, code, message, out);
        case Reply.Abandoned<R>() ->
            throw new IllegalStateException("an answer for a connection that is gone");
        case Reply.Answer<R>(R response) -> {
          long limit = call.api() == Api.FETCH ? Integer.MAX_VALUE : maxFrameBytes;
          try {
            if (!out.frame(correlationId, call.response(), response, limit)) {
              String message =
                  "the answer would be longer than max-frame-bytes, %d; ask for less"
                      .formatted(maxFrameBytes);
              fail(correlationId, ErrorCode.LIMIT_REACHED, message, out);
            }
          } catch (UncheckedIOException e) {
            LOG.log(Level.WARNING, "an answer could not be read", e);
            fail(correlationId, ErrorCode.STORAGE_FAILED, "the records could not be read", out);
          }
        }
      }
    }

    private void fail(int correlationId, ErrorCode code, String message, ResponseEncoder out) {
      if (call.version() == 0) {
        out.error(correlationId, code.forVersion0());
      } else {
        out.error(correlationId, code, new Frames.Failure(message, Bytes.EMPTY));
      }
    }

    @Override
    public void discard() {
      if (reply instanceof Reply.Answer<R>(R response)) {
        call.response().write(response, new DiscardingSink(0));
      }
    }

    @Override
    public boolean closes() {
      // Version 0 has no words for these, so the connection must say it.
      return call.version() == 0
          && (reply.error() == ErrorCode.UNAUTHENTICATED || reply.error() == ErrorCode.FORBIDDEN);
    }
  }
}
