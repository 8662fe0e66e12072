package io.minikafka.admin;

import io.minikafka.Caller;
import io.minikafka.admin.v1.TopicService;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceAddPartitionsResponse;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceCreateResponse;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsResponse;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDeleteResponse;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.minikafka.admin.v1.TopicServiceListResponse;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigResponse;
import io.minikafka.broker.LogStart;
import io.minikafka.broker.Result;
import io.minikafka.broker.TopicAdministration;
import io.minikafka.topic.Outcome;
import io.quarkus.grpc.GrpcService;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * {@code minikafka.admin.v1.TopicService}: takes requests apart, asks the broker, puts answers
 * together.
 *
 * <p>Entered on event loops, except where a whole topic or all of them are walked. A call that is
 * cancelled, or whose deadline has passed, withdraws what it asked for if that has not begun.
 */
@GrpcService
public class TopicGrpcService implements TopicService {
  private final Calls calls;

  TopicGrpcService(BrokerAccess broker) {
    this.calls = new Calls("TopicService", broker);
  }

  @Override
  public Uni<TopicServiceCreateResponse> create(TopicServiceCreateRequest request) {
    return ask(
        (topics, caller) ->
            topics.create(
                caller,
                request.getName(),
                request.getPartitionCount(),
                TopicMessages.changes(request.getSettingsMap()),
                request.getValidateOnly()),
        field -> path(field, "settings"),
        topic ->
            TopicServiceCreateResponse.newBuilder()
                .setTopic(TopicMessages.topic(topic.entry()))
                .addAllSettings(TopicMessages.settings(topic))
                .build());
  }

  @Override
  @Blocking
  public Uni<TopicServiceListResponse> list(TopicServiceListRequest request) {
    PageToken page = PageToken.of("TopicService.List", request.getIncludeInternal());
    return ask(
        (topics, caller) ->
            CompletableFuture.completedFuture(
                switch (page.name(request.getPageToken())) {
                  case Outcome.Refused<String>(var error) -> Outcome.refused(error);
                  case Outcome.Done<String>(String after) ->
                      topics.list(
                          caller, request.getPageSize(), after, request.getIncludeInternal());
                }),
        field -> field,
        topics ->
            TopicServiceListResponse.newBuilder()
                .addAllTopics(topics.topics().stream().map(TopicMessages::topic).toList())
                .setNextPageToken(page.after(topics.next()))
                .build());
  }

  @Override
  @Blocking
  public Uni<TopicServiceDescribeResponse> describe(TopicServiceDescribeRequest request) {
    return ask(
        (topics, caller) ->
            CompletableFuture.completedFuture(topics.describe(caller, request.getName())),
        field -> field,
        topic ->
            TopicServiceDescribeResponse.newBuilder()
                .setTopic(TopicMessages.topic(topic.entry()))
                .addAllSettings(TopicMessages.settings(topic))
                .addAllPartitions(TopicMessages.partitions(topic))
                .build());
  }

  @Override
  public Uni<TopicServiceDeleteResponse> delete(TopicServiceDeleteRequest request) {
    return ask(
        (topics, caller) -> topics.delete(caller, request.getName(), request.getValidateOnly()),
        field -> field,
        topic ->
            TopicServiceDeleteResponse.newBuilder()
                .setTopic(TopicMessages.topic(topic.entry()))
                .build());
  }

  @Override
  public Uni<TopicServiceUpdateConfigResponse> updateConfig(
      TopicServiceUpdateConfigRequest request) {
    return ask(
        (topics, caller) ->
            topics.updateConfig(
                caller,
                request.getName(),
                TopicMessages.changes(request),
                request.getValidateOnly()),
        field -> path(field, "set"),
        topic ->
            TopicServiceUpdateConfigResponse.newBuilder()
                .setTopic(TopicMessages.topic(topic.entry()))
                .addAllSettings(TopicMessages.settings(topic))
                .build());
  }

  @Override
  public Uni<TopicServiceAddPartitionsResponse> addPartitions(
      TopicServiceAddPartitionsRequest request) {
    return ask(
        (topics, caller) ->
            topics.addPartitions(
                caller, request.getName(), request.getPartitionCount(), request.getValidateOnly()),
        field -> path(field, ""),
        topic ->
            TopicServiceAddPartitionsResponse.newBuilder()
                .setTopic(TopicMessages.topic(topic.entry()))
                .build());
  }

  @Override
  public Uni<TopicServiceDeleteRecordsResponse> deleteRecords(
      TopicServiceDeleteRecordsRequest request) {
    List<LogStart> starts =
        request.getTargetsList().stream()
            .map(target -> new LogStart(target.getPartition(), target.getBeforeOffset()))
            .toList();
    return ask(
        (topics, caller) ->
            topics.deleteRecords(caller, request.getName(), starts, request.getValidateOnly()),
        field -> field.equals("offset") ? "targets.before_offset" : "targets",
        done ->
            TopicServiceDeleteRecordsResponse.newBuilder()
                .addAllResults(done.stream().map(TopicMessages::result).toList())
                .build());
  }

  /** Where a field of the broker's stands in a request. */
  private static String path(String field, String settings) {
    if (field.startsWith("settings.")) {
      return settings + "[\"" + field.substring("settings.".length()) + "\"]";
    }
    return field.equals("partitions") ? "partition_count" : field;
  }

  private <T, A> Uni<A> ask(
      BiFunction<TopicAdministration, Caller, CompletableFuture<Outcome<T>>> question,
      UnaryOperator<String> path,
      Function<T, A> answer) {
    return calls.ask(
        (controls, caller) -> question.apply(controls.topics(), caller), Result::of, path, answer);
  }
}
