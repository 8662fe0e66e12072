package io.minikafka.admin;

import io.minikafka.Caller;
import io.minikafka.admin.v1.BrokerService;
import io.minikafka.admin.v1.BrokerServiceCloseConnectionRequest;
import io.minikafka.admin.v1.BrokerServiceCloseConnectionResponse;
import io.minikafka.admin.v1.BrokerServiceDescribeRequest;
import io.minikafka.admin.v1.BrokerServiceDescribeResponse;
import io.minikafka.admin.v1.BrokerServiceListConnectionsRequest;
import io.minikafka.admin.v1.BrokerServiceListConnectionsResponse;
import io.minikafka.broker.BrokerAdministration;
import io.minikafka.broker.ConnectionPage;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.minikafka.topic.Outcome;
import io.quarkus.grpc.GrpcService;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * {@code minikafka.admin.v1.BrokerService}: takes requests apart, asks the broker, puts answers
 * together. Entered on event loops.
 */
@GrpcService
public class BrokerGrpcService implements BrokerService {
  private static final PageToken CONNECTIONS = PageToken.of("BrokerService.ListConnections");

  private final Calls calls;

  BrokerGrpcService(BrokerAccess broker) {
    this.calls = new Calls("BrokerService", broker);
  }

  @Override
  public Uni<BrokerServiceDescribeResponse> describe(BrokerServiceDescribeRequest request) {
    return ask(BrokerAdministration::describe, BrokerMessages::description);
  }

  @Override
  public Uni<BrokerServiceListConnectionsResponse> listConnections(
      BrokerServiceListConnectionsRequest request) {
    return ask(
        (broker, caller) ->
            switch (CONNECTIONS.number(request.getPageToken())) {
              case Outcome.Refused<Long>(var error) ->
                  CompletableFuture.completedFuture(
                      Result.<ConnectionPage>refused(Refusal.of(error)));
              case Outcome.Done<Long>(Long after) ->
                  broker.connections(caller, request.getPageSize(), after);
            },
        page ->
            BrokerServiceListConnectionsResponse.newBuilder()
                .addAllConnections(
                    page.connections().stream().map(BrokerMessages::connection).toList())
                .setNextPageToken(CONNECTIONS.after(page.next()))
                .build());
  }

  @Override
  public Uni<BrokerServiceCloseConnectionResponse> closeConnection(
      BrokerServiceCloseConnectionRequest request) {
    return ask(
        (broker, caller) -> broker.close(caller, request.getId(), request.getValidateOnly()),
        closed ->
            BrokerServiceCloseConnectionResponse.newBuilder()
                .setConnection(BrokerMessages.connection(closed))
                .build());
  }

  private <T, A> Uni<A> ask(
      BiFunction<BrokerAdministration, Caller, CompletableFuture<Result<T>>> question,
      Function<T, A> answer) {
    return calls.ask(
        (controls, caller) -> question.apply(controls.broker(), caller),
        result -> result,
        field -> field,
        answer);
  }
}
