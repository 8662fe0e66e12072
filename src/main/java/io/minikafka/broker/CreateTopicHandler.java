package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.protocol.CreateTopic;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Outcome;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.TopicError;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

/** API 1: creates a topic. Any thread; the answer comes when it is durable. */
final class CreateTopicHandler {
  private static final System.Logger LOG = System.getLogger(CreateTopicHandler.class.getName());

  private final TopicAdministration topics;

  CreateTopicHandler(TopicAdministration topics) {
    this.topics = topics;
  }

  void createVersion0(
      Caller caller,
      CreateTopic.RequestV0 request,
      Session session,
      Consumer<Reply<CreateTopic.ResponseV0>> done) {
    create(
        caller,
        new CreateTopic.Request(request.topic(), request.partitions(), false, List.of()),
        session,
        reply -> done.accept(reply.map(response -> new CreateTopic.ResponseV0())));
  }

  void create(
      Caller caller,
      CreateTopic.Request request,
      Session session,
      Consumer<Reply<CreateTopic.Response>> done) {
    List<SettingChange> settings =
        request.settings().stream().map(s -> SettingChange.set(s.key(), s.value())).toList();
    topics
        .create(
            caller,
            request.topic(),
            Integer.toUnsignedLong(request.partitions()),
            settings,
            request.validateOnly())
        .handle(
            (outcome, failure) -> {
              done.accept(failure == null ? reply(outcome) : failed(failure));
              return null;
            });
  }

  private static Reply<CreateTopic.Response> reply(Outcome<TopicDescription> outcome) {
    return switch (outcome) {
      case Outcome.Done<TopicDescription>(TopicDescription topic) ->
          Reply.answer(new CreateTopic.Response(topic.entry().id(), topic.entry().partitions()));
      case Outcome.Refused<TopicDescription>(TopicError error) ->
          Reply.failure(error.code(), error.message());
    };
  }

  private static Reply<CreateTopic.Response> failed(Throwable failure) {
    LOG.log(Level.ERROR, "creating a topic failed", failure);
    return Reply.failure(ErrorCode.INTERNAL_ERROR, "the broker failed; see its log");
  }
}
