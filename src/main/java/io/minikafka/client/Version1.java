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

/** Version 1: topics by id, receipts, times, headers. */
record Version1(Connection connection, int requestTimeoutMs) implements Dialect {
  /** Plain records (no kind), markers, attributed records, gaps: what the reader understands. */
  private static final int KINDS_READ =
      1 << io.minikafka.record.Entry.KIND_MARKER
          | 1 << io.minikafka.record.Entry.KIND_ATTRIBUTED
          | 1 << io.minikafka.record.Entry.KIND_GAP;

  @Override
  public int version() {
    return 1;
  }

  @Override
  public GroupDialect groups() {
    return new GroupVersion1(connection, requestTimeoutMs);
  }

  @Override
  public CompletableFuture<TopicInfo> topic(String name) {
    return connection
        .call(Metadata.V1, new Metadata.Request(List.of(name)), requestTimeoutMs)
        .answer()
        .thenApply(
            response -> {
              if (response.topics().size() != 1) {
                throw new ConnectionException(
                    "%d topics described, 1 asked for".formatted(response.topics().size()), null);
              }
              Metadata.Topic topic = response.topics().getFirst();
              ErrorCode error = ErrorCode.of(topic.error());
              if (error == ErrorCode.UNKNOWN_TOPIC) {
                throw TopicInfo.unknown(name);
              }
              if (error != ErrorCode.NONE) {
                throw new ServerException(
                    error, "%s: topic '%s' is not described".formatted(error, name));
              }
              return info(topic);
            });
  }

  @Override
  public CompletableFuture<List<TopicInfo>> topics() {
    return connection
        .call(Metadata.V1, new Metadata.Request(List.of()), requestTimeoutMs)
        .answer()
        .thenApply(response -> response.topics().stream().map(Version1::info).toList());
  }

  private static TopicInfo info(Metadata.Topic topic) {
    boolean internal = (topic.flags() & Metadata.INTERNAL) != 0;
    return new TopicInfo(topic.topic(), topic.id(), topic.partitions().size(), internal, 1);
  }

  @Override
  public CompletableFuture<TopicInfo> createTopic(
      String name, int partitions, boolean validateOnly, Map<String, String> settings) {
    List<CreateTopic.Setting> list = new ArrayList<>();
    settings.forEach((key, value) -> list.add(new CreateTopic.Setting(key, value)));
    return connection
        .call(
            CreateTopic.V1,
            new CreateTopic.Request(name, partitions, validateOnly, list),
            requestTimeoutMs)
        .answer()
        .thenApply(created -> new TopicInfo(name, created.id(), created.partitions(), false, 1));
  }

  @Override
  public Optional<String> objection(ProducerBatch batch) {
    return batch.topic().version() == 1
        ? Optional.empty()
        : Optional.of("the batch was made for a server that speaks version 0");
  }

  @Override
  public Sent<ProduceReceipt> produce(ProducerBatch batch, Durability durability, int timeoutMs) {
    Produce.Request request =
        new Produce.Request(
            batch.topic().id(),
            batch.partition().partition(),
            0,
            durability.code(),
            Bytes.of(batch.version1()));
    return Sent.of(
        connection.call(Produce.V1, request, timeoutMs),
        answer ->
            new ProduceReceipt(
                answer.baseOffset(),
                answer.durable(),
                answer.appendTime(),
                Durability.of(answer.reached())));
  }

  @Override
  public CompletableFuture<List<FetchAnswer>> fetch(FetchQuestion question, int timeoutMs) {
    List<Fetch.Partition> parts = new ArrayList<>(question.partitions().size());
    for (FetchQuestion.Part part : question.partitions()) {
      parts.add(
          new Fetch.Partition(
              part.topicId(),
              part.partition().partition(),
              part.offset(),
              part.lastEpoch(),
              part.maxBytes()));
    }
    Fetch.Request request =
        new Fetch.Request(
            question.maxWaitMs(), question.minBytes(), question.maxBytes(), KINDS_READ, parts);
    return connection
        .call(Fetch.V1, request, timeoutMs)
        .answer()
        .thenApply(response -> answers(parts, response));
  }

  private static List<FetchAnswer> answers(List<Fetch.Partition> asked, Fetch.Response response) {
    List<FetchAnswer> answers = new ArrayList<>(asked.size());
    boolean matches = response.answers().size() == asked.size();
    for (int i = 0; matches && i < asked.size(); i++) {
      Fetch.Answer answer = response.answers().get(i);
      Fetch.Partition part = asked.get(i);
      matches = answer.topic().equals(part.topic()) && answer.partition() == part.partition();
      answers.add(
          new FetchAnswer(
              ErrorCode.of(answer.error()),
              answer.highWatermark(),
              answer.logStart(),
              answer.from(),
              answer.to(),
              Dialect.inMemory(answer.entries())));
    }
    if (!matches) {
      throw new ConnectionException("a fetch was answered with other partitions", null);
    }
    return answers;
  }

  @Override
  public CompletableFuture<List<Long>> offsets(List<OffsetQuestion> questions) {
    List<ListOffsets.Query> queries = new ArrayList<>(questions.size());
    for (OffsetQuestion question : questions) {
      queries.add(
          new ListOffsets.Query(
              question.topicId(), question.partition().partition(), question.query()));
    }
    return connection
        .call(ListOffsets.V1, new ListOffsets.Request(queries), requestTimeoutMs)
        .answer()
        .thenApply(response -> offsets(questions, response));
  }

  private static List<Long> offsets(List<OffsetQuestion> questions, ListOffsets.Response response) {
    if (response.answers().size() != questions.size()) {
      throw new ConnectionException("offsets were answered for other partitions", null);
    }
    List<Long> offsets = new ArrayList<>(questions.size());
    for (int i = 0; i < questions.size(); i++) {
      ListOffsets.Answer answer = response.answers().get(i);
      ErrorCode error = ErrorCode.of(answer.error());
      if (error != ErrorCode.NONE) {
        throw new ServerException(
            error, "%s: offsets of %s".formatted(error, questions.get(i).partition()));
      }
      offsets.add(answer.offset());
    }
    return offsets;
  }
}
