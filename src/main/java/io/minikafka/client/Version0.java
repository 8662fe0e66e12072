package io.minikafka.client;

import io.minikafka.codec.Bytes;
import io.minikafka.protocol.CreateTopic;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.protocol.ListOffsets;
import io.minikafka.protocol.Metadata;
import io.minikafka.protocol.Produce;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Version 0, for a server that knows no more: topics by name, no receipts, no look-up by time, no
 * null key (it becomes an empty one), no tombstones, no headers (these two are refused).
 */
record Version0(Connection connection, int requestTimeoutMs) implements Dialect {

  @Override
  public int version() {
    return 0;
  }

  @Override
  public GroupDialect groups() {
    return new GroupVersion0(connection, requestTimeoutMs);
  }

  @Override
  public CompletableFuture<TopicInfo> topic(String name) {
    return connection
        .call(Metadata.V0, new Metadata.RequestV0(name), requestTimeoutMs)
        .answer()
        .thenApply(
            response -> new TopicInfo(name, TopicInfo.NO_ID, response.partitions(), false, 0));
  }

  @Override
  public CompletableFuture<List<TopicInfo>> topics() {
    return unsupported("listing the topics");
  }

  @Override
  public CompletableFuture<TopicInfo> createTopic(
      String name, int partitions, boolean validateOnly, Map<String, String> settings) {
    if (validateOnly) {
      return unsupported("validating a topic without creating it");
    }
    if (!settings.isEmpty()) {
      return unsupported("creating a topic with settings of its own");
    }
    return connection
        .call(CreateTopic.V0, new CreateTopic.RequestV0(name, partitions), requestTimeoutMs)
        .answer()
        .thenApply(created -> new TopicInfo(name, TopicInfo.NO_ID, partitions, false, 0));
  }

  @Override
  public Optional<String> objection(ProducerBatch batch) {
    return batch.needsVersion1()
        ? Optional.of(
            "version 0 of the protocol, all this server speaks, has no null keys, no tombstones and no headers")
        : Optional.empty();
  }

  @Override
  public Sent<ProduceReceipt> produce(ProducerBatch batch, Durability durability, int timeoutMs) {
    Produce.RequestV0 request =
        new Produce.RequestV0(
            batch.topic().name(),
            batch.partition().partition(),
            batch.count(),
            Bytes.of(batch.version0()));
    return Sent.of(
        connection.call(Produce.V0, request, timeoutMs),
        answer -> new ProduceReceipt(answer.baseOffset(), 0, -1, Durability.TOPIC_POLICY));
  }

  @Override
  public CompletableFuture<List<FetchAnswer>> fetch(FetchQuestion question, int timeoutMs) {
    List<Fetch.PartitionV0> parts = new ArrayList<>(question.partitions().size());
    int partBytes = Math.max(1, question.maxBytes() / question.partitions().size());
    for (FetchQuestion.Part part : question.partitions()) {
      // Version 0 bounds each partition only: shares of the whole keep the answer in bounds too.
      int maxBytes = Math.min(part.maxBytes(), partBytes);
      parts.add(
          new Fetch.PartitionV0(
              part.partition().topic(), part.partition().partition(), part.offset(), maxBytes));
    }
    int maxWaitMs = question.minBytes() == 0 ? 0 : question.maxWaitMs();
    return connection
        .call(Fetch.V0, new Fetch.RequestV0(maxWaitMs, parts), timeoutMs)
        .answer()
        .thenApply(response -> answers(parts, response));
  }

  private static List<FetchAnswer> answers(
      List<Fetch.PartitionV0> asked, Fetch.ResponseV0 response) {
    List<FetchAnswer> answers = new ArrayList<>(asked.size());
    boolean matches = response.answers().size() == asked.size();
    for (int i = 0; matches && i < asked.size(); i++) {
      Fetch.AnswerV0 answer = response.answers().get(i);
      Fetch.PartitionV0 part = asked.get(i);
      matches = answer.topic().equals(part.topic()) && answer.partition() == part.partition();
      answers.add(
          new FetchAnswer(
              ErrorCode.of(answer.error()),
              answer.logEnd(),
              answer.logStart(),
              0,
              0,
              Dialect.inMemory(answer.records())));
    }
    if (!matches) {
      throw new ConnectionException("a fetch was answered with other partitions", null);
    }
    return answers;
  }

  @Override
  public CompletableFuture<List<Long>> offsets(List<OffsetQuestion> questions) {
    CompletableFuture<List<Long>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (OffsetQuestion question : questions) {
      if (question.query() != ListOffsets.START && question.query() != ListOffsets.HIGH_WATERMARK) {
        return unsupported("looking up an offset by time");
      }
      // All are sent at once; only their answers are put together one by one.
      CompletableFuture<ListOffsets.ResponseV0> one =
          connection
              .call(
                  ListOffsets.V0,
                  new ListOffsets.RequestV0(
                      question.partition().topic(), question.partition().partition()),
                  requestTimeoutMs)
              .answer();
      all =
          all.thenCombine(
              one,
              (offsets, answer) -> {
                boolean start = question.query() == ListOffsets.START;
                offsets.add(start ? answer.logStart() : answer.logEnd());
                return offsets;
              });
    }
    return all;
  }

  private static <T> CompletableFuture<T> unsupported(String what) {
    return CompletableFuture.failedFuture(
        new UnsupportedByServerException(
            what + " is not in version 0 of the protocol, all this server speaks", null));
  }
}
