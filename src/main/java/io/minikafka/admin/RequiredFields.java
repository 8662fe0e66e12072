package io.minikafka.admin;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.minikafka.broker.Refusal;
import io.minikafka.topic.TopicError.FieldError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Fields without which a request names nothing. What is missing is told by its field, and not as
 * something of no name that does not exist; all other rules of a field are the broker's. Stateless.
 */
final class RequiredFields {
  /** By the type of the request: what the broker would go and look for. */
  private static final Map<String, List<String>> BY_REQUEST =
      Map.ofEntries(
          Map.entry("BrokerServiceCloseConnectionRequest", List.of("id")),
          Map.entry("GroupServiceDescribeRequest", List.of("group")),
          Map.entry("GroupServiceDeleteRequest", List.of("group")),
          Map.entry("GroupServiceDeleteOffsetsRequest", List.of("group")),
          Map.entry("GroupServiceApplyOffsetResetRequest", List.of("token")),
          Map.entry("GroupServiceUndoOffsetResetRequest", List.of("group")),
          Map.entry("LogServiceListSegmentsRequest", List.of("topic")),
          Map.entry("LogServiceRepairPartitionRequest", List.of("topic")),
          Map.entry("LogServiceTailRequest", List.of("topic")),
          Map.entry("LogServiceAppendRequest", List.of("topic")),
          Map.entry("TopicServiceDescribeRequest", List.of("name")),
          Map.entry("TopicServiceDeleteRequest", List.of("name")),
          Map.entry("TopicServiceUpdateConfigRequest", List.of("name")),
          Map.entry("TopicServiceAddPartitionsRequest", List.of("name")),
          Map.entry("TopicServiceDeleteRecordsRequest", List.of("name")));

  private RequiredFields() {}

  /** Names what is missing; empty if nothing is. */
  static Optional<Refusal> missing(Message request) {
    Descriptor type = request.getDescriptorForType();
    List<FieldError> missing =
        BY_REQUEST.getOrDefault(type.getName(), List.of()).stream()
            .map(name -> Objects.requireNonNull(type.findFieldByName(name), name))
            .filter(field -> request.getField(field).equals(field.getDefaultValue()))
            .map(RequiredFields::missing)
            .toList();
    return missing.isEmpty() ? Optional.empty() : Optional.of(Refusal.invalid(missing));
  }

  private static FieldError missing(FieldDescriptor field) {
    return new FieldError(field.getName(), field.getName() + " is missing");
  }
}
