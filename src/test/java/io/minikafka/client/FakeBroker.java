package io.minikafka.client;

import io.minikafka.client.FakeServer.Request;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.CreateTopic;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.protocol.Hello;
import io.minikafka.protocol.ListOffsets;
import io.minikafka.protocol.Metadata;
import io.minikafka.protocol.Produce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers requests from the fake server's memory as a broker would. */
final class FakeBroker {
  private final FakeServer server;

  FakeBroker(FakeServer server) {
    this.server = server;
  }

  void answer(Request request) throws IOException, InterruptedException {
    switch (request.body()) {
      case Hello.Request ignored ->
          request.reply(
              new Hello.Response("cluster", "1.0", 0, 64 << 20, false, List.of(), List.of()));
      case CreateTopic.RequestV0 create -> {
        if (server.topics.containsKey(create.topic())) {
          request.refuse(ErrorCode.TOPIC_EXISTS, "");
        } else {
          server.topic(create.topic(), create.partitions());
          request.reply(new CreateTopic.ResponseV0());
        }
      }
      case CreateTopic.Request create -> create(request, create);
      case Metadata.RequestV0 metadata -> {
        if (server.topics.containsKey(metadata.topic())) {
          request.reply(new Metadata.ResponseV0(server.partitions(metadata.topic())));
        } else {
          request.refuse(ErrorCode.UNKNOWN_TOPIC, "");
        }
      }
      case Metadata.Request metadata -> metadata(request, metadata);
      case Produce.RequestV0 ignored -> append(request).run();
      case Produce.Request ignored -> append(request).run();
      case Fetch.RequestV0 fetch -> fetch(request, fetch);
      case Fetch.Request fetch ->
          // A parked fetch of version 1 holds back nothing behind it.
          Thread.ofVirtual().start(() -> fetch(request, fetch));
      case ListOffsets.RequestV0 query -> {
        FakeLog log = server.logs.get(server.key(query.topic(), query.partition()));
        if (log == null) {
          request.refuse(ErrorCode.UNKNOWN_TOPIC, "");
        } else {
          request.reply(new ListOffsets.ResponseV0(log.start(), log.end()));
        }
      }
      case ListOffsets.Request query -> offsets(request, query);
      default -> server.answerMember(request);
    }
  }

  private void create(Request request, CreateTopic.Request create) throws IOException {
    if (server.topics.containsKey(create.topic())) {
      request.refuse(ErrorCode.TOPIC_EXISTS, create.topic() + " exists");
    } else if (create.validateOnly()) {
      request.reply(new CreateTopic.Response(TopicInfo.NO_ID, create.partitions()));
    } else {
      server.topic(create.topic(), create.partitions());
      UUID id = server.topics.getOrDefault(create.topic(), TopicInfo.NO_ID);
      request.reply(new CreateTopic.Response(id, create.partitions()));
    }
  }

  private void metadata(Request request, Metadata.Request metadata) throws IOException {
    List<String> names =
        metadata.topics().isEmpty() ? List.copyOf(server.topics.keySet()) : metadata.topics();
    List<Metadata.Topic> topics = new ArrayList<>();
    for (String name : names) {
      UUID id = server.topics.get(name);
      List<Metadata.Partition> partitions = new ArrayList<>();
      for (int i = 0; i < server.partitions(name); i++) {
        partitions.add(new Metadata.Partition(i, 0, 0, FakeLog.EPOCH));
      }
      topics.add(
          id == null
              ? new Metadata.Topic(
                  ErrorCode.UNKNOWN_TOPIC.code(), name, TopicInfo.NO_ID, 0, List.of())
              : new Metadata.Topic(0, name, id, 0, partitions));
    }
    request.reply(
        new Metadata.Response(
            "cluster",
            List.of(new Metadata.Node(0, "127.0.0.1", server.address().port())),
            topics));
  }

  /** Appends what a produce request brings; the answer is left to the caller. */
  Runnable append(Request request) {
    if (request.body() instanceof Produce.RequestV0 produce) {
      FakeLog log = server.logs.get(server.key(produce.topic(), produce.partition()));
      return append(request, log, produce.records());
    }
    Produce.Request produce = request.as(Produce.Request.class);
    return append(request, server.find(produce.topic(), produce.partition()), produce.batch());
  }

  private static Runnable append(Request request, @Nullable FakeLog log, Bytes batch) {
    if (log == null) {
      return quietly(() -> request.refuse(ErrorCode.UNKNOWN_TOPIC, "no such topic"));
    }
    long base = log.append(batch.buffer());
    if (request.call().version() == 0) {
      return quietly(() -> request.reply(new Produce.ResponseV0(base)));
    }
    Produce.Response response =
        new Produce.Response(base, log.end(), log.start(), 1_000 + base, FakeLog.EPOCH, 2, false);
    return quietly(() -> request.reply(response));
  }

  private interface Answer {
    void send() throws IOException;
  }

  private static Runnable quietly(Answer answer) {
    return () -> {
      try {
        answer.send();
      } catch (IOException e) {
        // The client went away.
      }
    };
  }

  private void fetch(Request request, Fetch.RequestV0 fetch)
      throws IOException, InterruptedException {
    List<Fetch.AnswerV0> answers = new ArrayList<>();
    boolean empty = true;
    for (Fetch.PartitionV0 part : fetch.partitions()) {
      Fetch.AnswerV0 answer = read(part);
      empty &= answer.records().length() == 0 && answer.error() == 0;
      answers.add(answer);
    }
    if (empty && fetch.maxWaitMs() > 0) {
      awaitAny(
          fetch.partitions().stream()
              .map(part -> new Place(server.log(part.topic(), part.partition()), part.offset()))
              .toList(),
          fetch.maxWaitMs());
      answers = fetch.partitions().stream().map(this::read).toList();
    }
    request.reply(new Fetch.ResponseV0(answers));
  }

  private Fetch.AnswerV0 read(Fetch.PartitionV0 part) {
    FakeLog log = server.logs.get(server.key(part.topic(), part.partition()));
    ErrorCode error = error(log, part.offset());
    long end = log == null ? 0 : log.end();
    long start = log == null ? 0 : log.start();
    byte[] records =
        log == null || error != ErrorCode.NONE
            ? new byte[0]
            : log.read(part.offset(), part.maxBytes(), false);
    return new Fetch.AnswerV0(
        part.topic(), part.partition(), error.code(), end, start, Bytes.of(records));
  }

  private void fetch(Request request, Fetch.Request fetch) {
    try {
      List<Fetch.Answer> answers = fetch.partitions().stream().map(this::read).toList();
      boolean empty =
          answers.stream().allMatch(answer -> answer.entries().length() + answer.error() == 0);
      if (empty) {
        List<Place> places = new ArrayList<>();
        for (Fetch.Partition part : fetch.partitions()) {
          FakeLog log = server.find(part.topic(), part.partition());
          if (log != null) {
            places.add(new Place(log, part.offset()));
          }
        }
        awaitAny(places, fetch.maxWaitMs());
        answers = fetch.partitions().stream().map(this::read).toList();
      }
      request.reply(new Fetch.Response(answers));
    } catch (IOException | InterruptedException e) {
      // The client went away.
    }
  }

  private Fetch.Answer read(Fetch.Partition part) {
    FakeLog log = server.find(part.topic(), part.partition());
    ErrorCode error = error(log, part.offset());
    long end = log == null ? 0 : log.end();
    long start = log == null ? 0 : log.start();
    byte[] entries =
        log == null || error != ErrorCode.NONE
            ? new byte[0]
            : log.read(part.offset(), part.maxBytes(), true);
    return new Fetch.Answer(
        part.topic(),
        part.partition(),
        error.code(),
        end,
        start,
        FakeLog.EPOCH,
        0,
        0,
        Bytes.of(entries));
  }

  private record Place(FakeLog log, long offset) {}

  /** Waits for a record at any of the places. */
  private static void awaitAny(List<Place> places, long maxWaitMs) throws InterruptedException {
    if (places.size() == 1) {
      places.getFirst().log().await(places.getFirst().offset(), maxWaitMs);
      return;
    }
    long deadlineNanos = System.nanoTime() + maxWaitMs * 1_000_000;
    while (System.nanoTime() < deadlineNanos) {
      for (Place place : places) {
        place.log().await(place.offset(), 2);
        if (place.log().end() > place.offset()) {
          return;
        }
      }
    }
  }

  private static ErrorCode error(@Nullable FakeLog log, long offset) {
    if (log == null) {
      return ErrorCode.UNKNOWN_TOPIC;
    }
    boolean inside = offset >= log.start() && offset <= log.end();
    return inside ? ErrorCode.NONE : ErrorCode.OFFSET_OUT_OF_RANGE;
  }

  private void offsets(Request request, ListOffsets.Request query) throws IOException {
    List<ListOffsets.Answer> answers = new ArrayList<>();
    for (ListOffsets.Query one : query.queries()) {
      FakeLog log = server.find(one.topic(), one.partition());
      if (log == null) {
        answers.add(
            new ListOffsets.Answer(
                one.topic(), one.partition(), ErrorCode.UNKNOWN_TOPIC.code(), 0, 0, -1, -1, 0));
        continue;
      }
      long offset;
      if (one.query() == ListOffsets.START) {
        offset = log.start();
      } else if (one.query() == ListOffsets.HIGH_WATERMARK) {
        offset = log.end();
      } else {
        offset = log.offsetForTime(one.query());
      }
      answers.add(
          new ListOffsets.Answer(
              one.topic(), one.partition(), 0, log.start(), log.end(), offset, -1, FakeLog.EPOCH));
    }
    request.reply(new ListOffsets.Response(answers));
  }
}
