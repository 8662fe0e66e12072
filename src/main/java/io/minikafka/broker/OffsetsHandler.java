package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.broker.Locator.Found;
import io.minikafka.broker.Locator.Located;
import io.minikafka.broker.Locator.Missing;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.TimeLookup;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.ListOffsets;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** API 5: where partitions begin and end, and which offset a time has. Any thread. */
final class OffsetsHandler {
  private static final System.Logger LOG = System.getLogger(OffsetsHandler.class.getName());
  private static final int ANSWER_BYTES = 16 + 4 + 2 + 8 + 8 + 8 + 8 + 4;

  private final Locator locator;
  private final Executor worker;
  private final BrokerLimits limits;

  /**
   * @param worker runs lookups by time
   */
  OffsetsHandler(Topics topics, Executor worker, BrokerLimits limits) {
    this.locator = new Locator(topics);
    this.worker = worker;
    this.limits = limits;
  }

  void rangeVersion0(
      Caller caller,
      ListOffsets.RequestV0 request,
      Session session,
      Consumer<Reply<ListOffsets.ResponseV0>> done) {
    switch (locator.locate(request.topic(), request.partition())) {
      case Missing missing -> done.accept(missing.reply());
      case Found found -> {
        long start = found.partition().snapshot().start();
        done.accept(
            Reply.answer(new ListOffsets.ResponseV0(start, found.partition().highWatermark())));
      }
    }
  }

  void offsets(
      Caller caller,
      ListOffsets.Request request,
      Session session,
      Consumer<Reply<ListOffsets.Response>> done) {
    List<ListOffsets.Query> queries = request.queries();
    int limit = limits.maxPartitions(ANSWER_BYTES);
    if (queries.size() > limit) {
      done.accept(
          Reply.failure(
              ErrorCode.LIMIT_REACHED,
              "%d queries in one request; the limit is %d".formatted(queries.size(), limit)));
      return;
    }
    if (queries.stream().anyMatch(OffsetsHandler::looksAtTimes)) {
      RequestDispatcher.onWorker(worker, done, () -> done.accept(Reply.answer(answer(queries))));
    } else {
      done.accept(Reply.answer(answer(queries)));
    }
  }

  private static boolean looksAtTimes(ListOffsets.Query query) {
    return query.query() >= 0 || query.query() == ListOffsets.LATEST_TIMESTAMP;
  }

  private ListOffsets.Response answer(List<ListOffsets.Query> queries) {
    List<ListOffsets.Answer> answers = new ArrayList<>(queries.size());
    for (ListOffsets.Query query : queries) {
      answers.add(answer(query));
    }
    return new ListOffsets.Response(answers);
  }

  private ListOffsets.Answer answer(ListOffsets.Query query) {
    Located located = locator.locate(query.topic(), query.partition());
    if (!(located instanceof Found found)) {
      return new ListOffsets.Answer(
          query.topic(), query.partition(), ErrorCode.UNKNOWN_TOPIC.code(), 0, 0, -1, -1, 0);
    }
    Partition partition = found.partition();
    ErrorCode error = ErrorCode.NONE;
    TimeLookup result = TimeLookup.NONE;
    try {
      if (query.query() >= 0) {
        result = partition.offsetForTime(query.query());
      } else if (query.query() == ListOffsets.LATEST_TIMESTAMP) {
        result = partition.latestTimestamp();
      } else if (query.query() != ListOffsets.START
          && query.query() != ListOffsets.HIGH_WATERMARK) {
        error = ErrorCode.INVALID_REQUEST;
      }
    } catch (IOException e) {
      locator.warn(LOG, "a lookup by time in", partition.id(), e);
      error = ErrorCode.STORAGE_FAILED;
    }
    PartitionStore.Snapshot now = partition.snapshot();
    long highWatermark = partition.highWatermark();
    long offset = result.offset();
    if (query.query() == ListOffsets.START) {
      offset = now.start();
    } else if (query.query() == ListOffsets.HIGH_WATERMARK) {
      offset = highWatermark;
    }
    return new ListOffsets.Answer(
        query.topic(),
        query.partition(),
        error.code(),
        now.start(),
        highWatermark,
        offset,
        result.timestamp(),
        now.epoch());
  }
}
