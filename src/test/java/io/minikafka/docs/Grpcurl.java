package io.minikafka.docs;

import com.google.common.base.CaseFormat;
import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers a {@code grpcurl} line where neither it nor buf is to be had: the same request over a
 * real channel, with the messages as the build knows them, and the same JSON.
 */
final class Grpcurl {
  private static final Pattern LINE =
      Pattern.compile(
          "grpcurl -plaintext(?: -max-time (\\S+))?(?: -d '(.*)')?\\s+\\S+\\s+(\\S+)/(\\S+)",
          Pattern.DOTALL);

  /** Longest wait for an answer. */
  private static final int LIMIT_S = 60;

  private final List<FileDescriptor> files;
  private final int port;

  Grpcurl(List<FileDescriptor> files, int port) {
    this.files = files;
    this.port = port;
  }

  /** What a line asks for. */
  record Request(double maxSeconds, String json, String service, String method) {
    String path() {
      return service + "/" + method;
    }

    /** Whether it is only ended by the time that it is given. */
    boolean isEndless() {
      return maxSeconds < LIMIT_S;
    }
  }

  /** The line taken apart; empty if it is another verb. */
  static Optional<Request> request(String line) {
    Matcher parts = LINE.matcher(line.replace("\\\n", " "));
    if (!parts.matches()) {
      return Optional.empty();
    }
    double seconds = parts.group(1) == null ? LIMIT_S : Double.parseDouble(parts.group(1));
    String json = parts.group(2) == null ? "{}" : parts.group(2);
    return Optional.of(new Request(seconds, json, parts.group(3), parts.group(4)));
  }

  String answer(Request request) throws InvalidProtocolBufferException {
    MethodDescriptor method = method(request);
    DynamicMessage.Builder message = DynamicMessage.newBuilder(method.getInputType());
    JsonFormat.parser().merge(request.json(), message);
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    List<String> answers = new ArrayList<>();
    try {
      Iterator<DynamicMessage> messages =
          ClientCalls.blockingServerStreamingCall(
              channel,
              descriptor(request, method),
              CallOptions.DEFAULT.withDeadlineAfter(
                  (long) (request.maxSeconds() * 1000), TimeUnit.MILLISECONDS),
              message.build());
      while (messages.hasNext()) {
        answers.add(plain(JsonFormat.printer().print(messages.next())));
      }
    } catch (StatusRuntimeException e) {
      boolean timeIsUp = e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
      if (!timeIsUp || !request.isEndless()) {
        answers.add(error(e));
      }
    } finally {
      channel.shutdownNow();
    }
    return String.join("\n", answers);
  }

  private MethodDescriptor method(Request request) {
    for (FileDescriptor file : files) {
      for (ServiceDescriptor service : file.getServices()) {
        if (service.getFullName().equals(request.service())) {
          MethodDescriptor method = service.findMethodByName(request.method());
          if (method != null) {
            return method;
          }
        }
      }
    }
    throw new IllegalArgumentException("there is no method " + request.path());
  }

  private static io.grpc.MethodDescriptor<DynamicMessage, DynamicMessage> descriptor(
      Request request, MethodDescriptor method) {
    return io.grpc.MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(MethodType.SERVER_STREAMING)
        .setFullMethodName(request.path())
        .setRequestMarshaller(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())))
        .setResponseMarshaller(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
        .build();
  }

  /** Without the escapes that only HTML needs. */
  private static String plain(String json) {
    return json.replace("\\u003c", "<")
        .replace("\\u003e", ">")
        .replace("\\u0026", "&")
        .replace("\\u003d", "=")
        .replace("\\u0027", "'");
  }

  /** As buf tells of it. */
  private static String error(StatusRuntimeException failure) {
    StringBuilder json =
        new StringBuilder(
            "{ \"code\": \"%s\", \"message\": \"%s\""
                .formatted(
                    CaseFormat.UPPER_UNDERSCORE.to(
                        CaseFormat.LOWER_UNDERSCORE, failure.getStatus().getCode().name()),
                    String.valueOf(failure.getStatus().getDescription()).replace("\"", "\\\"")));
    com.google.rpc.Status status = StatusProto.fromThrowable(failure);
    if (status != null && status.getDetailsCount() > 0) {
      List<String> details = new ArrayList<>();
      for (Any detail : status.getDetailsList()) {
        details.add(
            "{ \"type\": \"%s\", \"value\": \"%s\" }"
                .formatted(
                    detail.getTypeUrl().replaceFirst(".*/", ""),
                    Base64.getEncoder()
                        .withoutPadding()
                        .encodeToString(detail.getValue().toByteArray())));
      }
      json.append(", \"details\": [ ").append(String.join(", ", details)).append(" ]");
    }
    return json.append(" }").toString();
  }
}
