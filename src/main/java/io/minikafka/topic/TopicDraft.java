package io.minikafka.topic;

import io.minikafka.Names;
import io.minikafka.topic.TopicError.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A topic that somebody asks for, held against the rules that need no look at the others. */
final class TopicDraft {
  private static final UUID NO_ID = new UUID(0, 0);

  private TopicDraft() {}

  /** As a client may ask; the error names every field that is wrong. */
  static Outcome<TopicEntry> of(String name, long partitions, List<SettingChange> settings) {
    List<FieldError> errors = new ArrayList<>();
    Names.topicNameError(name).ifPresent(error -> errors.add(new FieldError("name", error)));
    return checked(name, partitions, settings, errors);
  }

  /** As only the broker may. */
  static Outcome<TopicEntry> internal(String name, int partitions, List<SettingChange> settings) {
    if (!Names.isInternal(name)) {
      throw new IllegalArgumentException(name + " is no internal name");
    }
    return checked(name, partitions, settings, new ArrayList<>());
  }

  private static Outcome<TopicEntry> checked(
      String name, long partitions, List<SettingChange> settings, List<FieldError> errors) {
    Names.partitionCountError(partitions)
        .ifPresent(error -> errors.add(new FieldError("partitions", error)));
    TopicSettings own =
        switch (TopicSettings.NONE.with(settings)) {
          case Outcome.Done<TopicSettings>(TopicSettings legal) -> legal;
          case Outcome.Refused<TopicSettings>(TopicError error) -> {
            errors.addAll(error.fields());
            yield TopicSettings.NONE;
          }
        };
    return errors.isEmpty()
        ? Outcome.done(new TopicEntry(name, NO_ID, Math.toIntExact(partitions), own))
        : Outcome.refused(TopicError.invalid(errors));
  }
}
