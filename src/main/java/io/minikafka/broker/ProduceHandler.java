package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.Pressure;
import io.minikafka.broker.Locator.Found;
import io.minikafka.broker.Locator.Located;
import io.minikafka.broker.Locator.Missing;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Produce;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CheckedBatch;
import io.minikafka.topic.Topics;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * API 3: appends one batch to one partition. Everything about the batch is checked before anything
 * of it reaches a log. Never blocks; the caller's thread is one that also drains the burst.
 */
final class ProduceHandler {
  private static final Durability[] DURABILITIES = Durability.values();

  private final Locator locator;

  ProduceHandler(Topics topics) {
    this.locator = new Locator(topics);
  }

  void produce(
      Caller caller,
      Produce.Request request,
      Session session,
      Consumer<Reply<Produce.Response>> done) {
    if (request.durability() >= DURABILITIES.length) {
      done.accept(
          Reply.failure(
              ErrorCode.INVALID_REQUEST,
              "durability %d is outside 0 … %d"
                  .formatted(request.durability(), DURABILITIES.length - 1)));
      return;
    }
    Durability wanted = DURABILITIES[request.durability()];
    Located located = locator.locate(request.topic(), request.partition());
    append(
        located,
        request.epoch(),
        request.batch().length(),
        () -> BatchCheck.version1(request.batch()),
        wanted,
        session,
        done);
  }

  void produceVersion0(
      Caller caller,
      Produce.RequestV0 request,
      Session session,
      Consumer<Reply<Produce.ResponseV0>> done) {
    Bytes records = request.records();
    append(
        locator.locate(request.topic(), request.partition()),
        0,
        (long) BatchMarker.BYTES + records.length(),
        () -> BatchCheck.version0(records, request.count()),
        Durability.TOPIC,
        session,
        reply -> done.accept(reply.map(r -> new Produce.ResponseV0(r.baseOffset()))));
  }

  private void append(
      Located located,
      int epoch,
      long bytes,
      Supplier<BatchCheck> check,
      Durability wanted,
      Session session,
      Consumer<Reply<Produce.Response>> done) {
    Found found;
    switch (located) {
      case Missing missing -> {
        done.accept(missing.reply());
        return;
      }
      case Found there -> found = there;
    }
    Optional<Reply<Produce.Response>> refusal = refusal(found, epoch, bytes);
    if (refusal.isPresent()) {
      done.accept(refusal.get());
      return;
    }
    switch (check.get()) {
      case BatchCheck.Refused(String reason) ->
          done.accept(Reply.failure(ErrorCode.CORRUPT_MESSAGE, reason));
      case CheckedBatch batch when batch.producerId() != -1 ->
          done.accept(
              Reply.failure(
                  ErrorCode.UNKNOWN_PRODUCER,
                  "producerId %d was not given out by this broker".formatted(batch.producerId())));
      case CheckedBatch batch -> {
        Partition partition = found.partition();
        session.burst().offer(partition, batch, wanted, result -> done.accept(reply(result)));
        Pressure pressure = partition.pressure();
        if (pressure.exceeded()) {
          session.peer().slowDown(pressure);
        }
      }
    }
  }

  /** What can be said without looking at the batch. */
  private static Optional<Reply<Produce.Response>> refusal(Found found, int epoch, long bytes) {
    Partition partition = found.partition();
    if (found.topic().isInternal()) {
      return refuse(
          ErrorCode.FORBIDDEN,
          "topic %s belongs to the broker; clients cannot write it"
              .formatted(found.topic().name()));
    }
    int maxBytes = partition.settings().maxMessageBytes();
    if (bytes > maxBytes) {
      return refuse(
          ErrorCode.MESSAGE_TOO_LARGE,
          "batch of %d bytes; max.message.bytes is %d".formatted(bytes, maxBytes));
    }
    if (epoch != 0 && epoch != partition.snapshot().epoch()) {
      return refuse(
          ErrorCode.NOT_LEADER,
          "the log epoch of %s is %d, the request names %s"
              .formatted(
                  partition.id(), partition.snapshot().epoch(), Integer.toUnsignedString(epoch)));
    }
    return Optional.empty();
  }

  private static Optional<Reply<Produce.Response>> refuse(ErrorCode code, String message) {
    return Optional.of(Reply.failure(code, message));
  }

  private static Reply<Produce.Response> reply(AppendResult result) {
    return switch (result) {
      case Appended done ->
          Reply.answer(
              new Produce.Response(
                  done.baseOffset(),
                  done.durable(),
                  done.logStart(),
                  done.appendTime(),
                  done.epoch(),
                  done.reached().ordinal(),
                  false));
      case Refused refused -> Reply.failure(code(refused.reason()), refused.message());
    };
  }

  private static ErrorCode code(AppendResult.Reason reason) {
    return switch (reason) {
      case TOO_LARGE -> ErrorCode.MESSAGE_TOO_LARGE;
      case KEYLESS -> ErrorCode.INVALID_REQUEST;
      case DISK_FULL -> ErrorCode.DISK_FULL;
      case STORAGE_FAILED -> ErrorCode.STORAGE_FAILED;
      case DELETED -> ErrorCode.UNKNOWN_TOPIC;
      case SHUTTING_DOWN -> ErrorCode.SHUTTING_DOWN;
    };
  }
}
