package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UnknownFieldSet;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.minikafka.admin.BrokerAccess.Why;
import io.minikafka.admin.ControlPlane.Refusal;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What holds for every call of every service, whichever they are: they are found by their
 * descriptors.
 */
@QuarkusTest
@Timeout(120)
@TestProfile(FakeBrokerProfile.class)
class EveryServiceTest extends TopicServiceBench {
  /** A call that begins like this only looks. */
  private static final Set<String> LOOKING =
      Set.of("List", "Describe", "Watch", "Verify", "Tail", "Plan");

  /** Calls that change something and cannot be tried: why not. */
  private static final Map<String, String> CANNOT_BE_TRIED =
      Map.of("LogService/Flush", "forcing what is written changes nothing that anybody sees");

  /** What requests cannot do without; a name before a dot is that of a choice. */
  private static final Map<String, Set<String>> NEEDED =
      Map.ofEntries(
          Map.entry("BrokerService/CloseConnection", Set.of("id")),
          Map.entry("GroupService/Describe", Set.of("group")),
          Map.entry("GroupService/Delete", Set.of("group")),
          Map.entry("GroupService/DeleteOffsets", Set.of("group", "partitions")),
          Map.entry("GroupService/PlanOffsetReset", Set.of("group", "target")),
          Map.entry("GroupService/ApplyOffsetReset", Set.of("token")),
          Map.entry("GroupService/UndoOffsetReset", Set.of("group")),
          Map.entry("LogService/ListSegments", Set.of("topic")),
          Map.entry("LogService/RepairPartition", Set.of("topic", "action")),
          Map.entry("LogService/Tail", Set.of("topic")),
          Map.entry("LogService/Append", Set.of("topic", "records")),
          Map.entry("TopicService/Create", Set.of("name", "partition_count")),
          Map.entry("TopicService/Describe", Set.of("name")),
          Map.entry("TopicService/Delete", Set.of("name")),
          Map.entry("TopicService/UpdateConfig", Set.of("name")),
          Map.entry("TopicService/AddPartitions", Set.of("name", "partition_count")),
          Map.entry("TopicService/DeleteRecords", Set.of("name", "targets")));

  /** What no message may show: a class, a line of code, Java's word for nothing. */
  private static final Pattern INSIDES =
      Pattern.compile("Exception|\\.java|\\bjava\\.|io\\.minikafka|\\bnull\\b|\\bat \\w+\\.");

  @Test
  void thereAreServicesToBeLookedAt() {
    assertTrue(
        AdminDescriptors.methods().size() >= 17, () -> AdminDescriptors.methods().toString());
  }

  @Test
  void withoutABrokerEveryCallSaysWhy() {
    for (Why why : Why.values()) {
      broker.unavailable(why, "it is so: " + why);
      each(
          method ->
              assertEquals(
                  new Refusal(Status.Code.UNAVAILABLE, why.name(), "it is so: " + why, Map.of()),
                  refused(() -> call(client.channel, method, empty(method)))));
    }
  }

  /** The timeout goes out as a header only, so that it is the server alone that keeps it. */
  @Test
  void noCallOutlivesItsDeadlineThoughNoWorkerIsFree() {
    CountDownLatch gate = broker.occupyWorker();
    Channel hurried = within("200m");
    List<String> late = new ArrayList<>();
    each(
        method -> {
          try {
            call(hurried, method, empty(method));
          } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED) {
              late.add(method.getFullName());
            }
          }
        });
    gate.countDown();
    assertTrue(late.contains("minikafka.admin.v1.BrokerService.Describe"), late::toString);
  }

  private Channel within(String timeout) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), timeout);
    return ClientInterceptors.intercept(
        client.channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @Test
  void deadlineThatIsOverFromTheBeginningIsSaidSo() {
    for (String timeout : List.of("0n", "1n", "0S", "999u")) {
      Channel hurried = within(timeout);
      each(
          method ->
              assertEquals(
                  new Refusal(Status.Code.DEADLINE_EXCEEDED, "", "null", Map.of()),
                  refused(() -> call(hurried, method, empty(method))),
                  timeout));
    }
  }

  @Test
  void deadlineThatIsNoneIsRefused() {
    for (String timeout : List.of("abc", "5", "-1S", "1.5S", "123456789S", "1s")) {
      Channel strange = within(timeout);
      each(
          method ->
              assertEquals(
                  new Refusal(
                      Status.Code.INVALID_ARGUMENT,
                      "INVALID_REQUEST",
                      "grpc-timeout is '"
                          + timeout
                          + "', must be 1 to 8 digits and one of H, M, S, m, u, n",
                      Map.of()),
                  refused(() -> call(strange, method, empty(method)))));
    }
  }

  @Test
  void whatIsMissingInARequestIsNamedByItsField() {
    client.create("x", 1);
    broker.startGroups();
    each(
        method -> {
          Set<String> needed = needed(method);
          for (String left : needed) {
            Refusal refusal = refused(() -> call(client.channel, method, request(method, left)));
            assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code(), left + refusal);
            assertEquals(Set.of(left), refusal.fields().keySet(), refusal::message);
          }
          if (!needed.isEmpty()) {
            Refusal refusal = refused(() -> call(client.channel, method, empty(method)));
            assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code(), refusal::message);
            assertTrue(!refusal.fields().isEmpty(), refusal::toString);
            assertTrue(needed.containsAll(refusal.fields().keySet()), refusal::toString);
          }
        });
  }

  /** Nothing is missing in what is refused for another reason, or not at all. */
  @Test
  void whatNeedsNothingTakesTheEmptyRequest() {
    each(
        method -> {
          if (needed(method).isEmpty()) {
            try {
              call(within("2S"), method, empty(method));
            } catch (StatusRuntimeException e) {
              assertNotEquals(Status.Code.INVALID_ARGUMENT, e.getStatus().getCode());
            }
          }
        });
  }

  @Test
  void requestThatIsTooLargeIsToldTheLimit() {
    UnknownFieldSet much =
        UnknownFieldSet.newBuilder()
            .addField(
                1_000,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFrom(new byte[300_000]))
                    .build())
            .build();
    each(
        method -> {
          DynamicMessage request = empty(method).toBuilder().setUnknownFields(much).build();
          Refusal refusal = refused(() -> call(client.channel, method, request));
          assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.code());
          assertEquals("the request is larger than 262144 bytes, the limit", refusal.message());
        });
  }

  @Test
  void requestThatCannotBeReadIsRefused() {
    // Bad UTF-8 where a text may be, a field that goes on behind the end, and no request at all.
    byte[] stray = {0x0a, 2, (byte) 0xff, (byte) 0xfe, 0x12, 2, (byte) 0xff, (byte) 0xfe, 0x22, 9};
    each(
        method -> {
          for (List<byte[]> sent : List.of(List.of(stray), List.<byte[]>of())) {
            Refusal refusal = refused(() -> send(method, sent));
            assertEquals(
                new Refusal(
                    Status.Code.INVALID_ARGUMENT,
                    "INVALID_REQUEST",
                    "there is no request that can be read: none came, or it is no message of this"
                        + " call (a text in it that is not UTF-8, a field that is cut)",
                    Map.of()),
                refusal);
          }
        });
  }

  private @Nullable Void send(MethodDescriptor method, List<byte[]> messages) {
    io.grpc.MethodDescriptor<byte[], byte[]> type =
        io.grpc.MethodDescriptor.newBuilder(new Raw(), new Raw())
            .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(method.getService().getFullName() + "/" + method.getName())
            .build();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    StreamObserver<byte[]> request =
        ClientCalls.asyncBidiStreamingCall(
            client.channel.newCall(type, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(byte[] answer) {}

              @Override
              public void onError(Throwable failure) {
                ended.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                ended.complete(null);
              }
            });
    messages.forEach(request::onNext);
    request.onCompleted();
    try {
      return ended.orTimeout(20, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  private static final class Raw implements io.grpc.MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void bugShowsNothingOfTheInsides() throws ReflectiveOperationException {
    broker.broken();
    List<String> found = new ArrayList<>();
    each(
        method -> {
          Refusal refusal = refused(() -> call(client.channel, method, request(method, "")));
          if (refusal.code() == Status.Code.INTERNAL) {
            found.add(method.getFullName());
            assertEquals("internal error; the broker's log has more", refusal.message());
            assertEquals("INTERNAL_ERROR", refusal.reason());
          } else {
            // It was refused before anything could go wrong.
            assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code(), refusal::message);
          }
          assertTrue(!INSIDES.matcher(refusal.message()).find(), refusal::message);
        });
    assertTrue(found.size() > 10, found::toString);
  }

  @Test
  void whatChangesSomethingCanBeTried() {
    Set<String> cannot = new TreeSet<>();
    AdminDescriptors.methods()
        .forEach(
            method -> {
              if (LOOKING.stream().noneMatch(method.getName()::startsWith)) {
                FieldDescriptor trial = method.getInputType().findFieldByName("validate_only");
                if (trial == null) {
                  cannot.add(method.getService().getName() + "/" + method.getName());
                } else {
                  assertEquals(FieldDescriptor.JavaType.BOOLEAN, trial.getJavaType());
                }
              }
            });
    assertEquals(new TreeSet<>(CANNOT_BE_TRIED.keySet()), cannot);
  }

  @Test
  void reflectionNamesEveryService() throws Exception {
    CompletableFuture<Set<String>> named = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> asking =
        ServerReflectionGrpc.newStub(client.channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse answer) {
                    Set<String> names = new TreeSet<>();
                    answer
                        .getListServicesResponse()
                        .getServiceList()
                        .forEach(service -> names.add(service.getName()));
                    named.complete(names);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    named.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    asking.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    Set<String> names = named.get(20, TimeUnit.SECONDS);
    asking.onCompleted();
    for (ServiceDescriptor service : AdminDescriptors.services()) {
      assertTrue(names.contains(service.getFullName()), names::toString);
    }
    assertTrue(names.contains("grpc.health.v1.Health"), names::toString);
  }

  @Test
  void healthKnowsEveryServiceByItsName() {
    HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(client.channel);
    for (ServiceDescriptor service : AdminDescriptors.services()) {
      assertEquals(
          HealthCheckResponse.ServingStatus.SERVING,
          health
              .check(HealthCheckRequest.newBuilder().setService(service.getFullName()).build())
              .getStatus(),
          service.getFullName());
    }
  }

  @Test
  void healthOfAServiceThatIsNotThereIsNotFoundAndWatchedAsUnknown() {
    HealthGrpc.HealthBlockingStub health =
        HealthGrpc.newBlockingStub(client.channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    HealthCheckRequest request = HealthCheckRequest.newBuilder().setService("nobody").build();

    StatusRuntimeException refusal =
        assertThrows(StatusRuntimeException.class, () -> health.check(request));
    assertEquals(Status.Code.NOT_FOUND, refusal.getStatus().getCode());
    assertEquals("there is no service 'nobody'", refusal.getStatus().getDescription());
    int serviceUnknown = 3;
    assertEquals(serviceUnknown, health.watch(request).next().getStatusValue());
    assertEquals(
        HealthCheckResponse.ServingStatus.SERVING,
        health.check(HealthCheckRequest.getDefaultInstance()).getStatus());
  }

  private void each(Consumer<MethodDescriptor> check) {
    for (MethodDescriptor method : AdminDescriptors.methods()) {
      try {
        check.accept(method);
      } catch (AssertionError e) {
        throw new AssertionError(method.getFullName() + ": " + e.getMessage(), e);
      }
    }
  }

  private static Set<String> needed(MethodDescriptor method) {
    return NEEDED.getOrDefault(method.getService().getName() + "/" + method.getName(), Set.of());
  }

  /** With something in all that is needed but for one of it. */
  private static DynamicMessage request(MethodDescriptor method, String left) {
    DynamicMessage.Builder request = empty(method).toBuilder();
    for (String name : new TreeSet<>(needed(method))) {
      if (!name.equals(left)) {
        FieldDescriptor field = field(method, name);
        if (field.isRepeated()) {
          request.addRepeatedField(field, request.newBuilderForField(field).build());
        } else {
          request.setField(field, something(request, field));
        }
      }
    }
    return request.build();
  }

  /** Of a choice one of what can be chosen. */
  private static FieldDescriptor field(MethodDescriptor method, String name) {
    FieldDescriptor field = method.getInputType().findFieldByName(name);
    return field != null
        ? field
        : method.getInputType().getOneofs().stream()
            .filter(choice -> choice.getName().equals(name))
            .findFirst()
            .orElseThrow()
            .getField(0);
  }

  private static Object something(DynamicMessage.Builder request, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> "x";
      case INT -> 1;
      case LONG -> 1L;
      case ENUM -> field.getEnumType().findValueByNumber(1);
      case MESSAGE -> request.newBuilderForField(field).build();
      default -> throw new AssertionError(field);
    };
  }

  private static DynamicMessage empty(MethodDescriptor method) {
    return DynamicMessage.getDefaultInstance(method.getInputType());
  }

  /** The first answer; an error if there is none. */
  private static DynamicMessage call(
      Channel channel, MethodDescriptor method, DynamicMessage request) {
    var type =
        io.grpc.MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
            .setType(
                method.isServerStreaming()
                    ? io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING
                    : io.grpc.MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method.getService().getFullName() + "/" + method.getName())
            .setRequestMarshaller(
                ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())))
            .setResponseMarshaller(
                ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
            .build();
    var answers =
        ClientCalls.blockingServerStreamingCall(channel, type, CallOptions.DEFAULT, request);
    DynamicMessage first = null;
    while (answers.hasNext()) {
      DynamicMessage next = answers.next();
      first = first == null ? next : first;
    }
    if (first == null) {
      throw Status.INTERNAL.withDescription("an end without an answer").asRuntimeException();
    }
    return first;
  }
}
