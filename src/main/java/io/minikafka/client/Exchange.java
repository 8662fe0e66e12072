package io.minikafka.client;

import io.minikafka.codec.Codec;
import io.minikafka.codec.MalformedException;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request and the answer it waits for. Made by {@link Connection}, which alone completes it, on
 * its reader thread (or on the caller's, if the connection was closed before the request was
 * taken).
 */
final class Exchange<R> {
  private final Call<?, R> call;
  private final CompletableFuture<R> answer = new CompletableFuture<>();
  final int bytes;
  final long deadlineNanos;
  final int timeoutMs;

  /** Null once it was written. Guarded by the connection's lock. */
  @Nullable Frame frame;

  /** Set before the first byte is written, never after the connection counts as closed. */
  private volatile boolean begun;

  Exchange(Call<?, R> call, Frame frame, long deadlineNanos, int timeoutMs) {
    this.call = call;
    this.frame = frame;
    this.bytes = frame.bytes();
    this.deadlineNanos = deadlineNanos;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Fails with {@link ServerException} if the server refused, with {@link ConnectionException} if
   * there is no answer.
   */
  CompletableFuture<R> answer() {
    return answer;
  }

  /** Whether the server may have seen any of it. Final once {@link #answer} has failed. */
  boolean mayHaveBeenSent() {
    return begun;
  }

  void begin() {
    begun = true;
  }

  void fail(ConnectionException why) {
    answer.completeExceptionally(why);
  }

  /**
   * Reads what came.
   *
   * @return what completes the answer
   * @throws MalformedException if it is not what it should be; nothing is completed
   */
  Runnable read(int error, ByteBuffer body) {
    if (error != ErrorCode.NONE.code()) {
      ServerException refusal = refusal(ErrorCode.of(error), error, body);
      return () -> answer.completeExceptionally(refusal);
    }
    Codec<R> codec = call.response();
    // Version 0 ignores what is behind an answer; later versions do not send it.
    R response = call.version() == 0 ? codec.read(body) : codec.readAll(body);
    return () -> answer.complete(response);
  }

  private ServerException refusal(ErrorCode error, int code, ByteBuffer body) {
    String name = error.code() == code ? error.name() : "error " + code;
    if (call.version() == 0 || !body.hasRemaining()) {
      return new ServerException(error, "the server answered %s to %s".formatted(name, call));
    }
    return new ServerException(error, name + ": " + Frames.Failure.CODEC.read(body).message());
  }

  @Override
  public String toString() {
    return call.toString();
  }
}
