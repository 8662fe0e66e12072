package io.minikafka.coordinator;

import io.minikafka.group.Answer;
import io.minikafka.group.GroupNews;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one burst brought about and is let out at its end. */
final class Round {
  final List<Answer> answers = new ArrayList<>();
  final List<GroupNews> news = new ArrayList<>();
  final List<Mail.Look> looks = new ArrayList<>();

  /** Tickets of what was asked in this burst. */
  final Set<Long> asked = new HashSet<>();

  /** Partitions that were committed. */
  int commits;

  /** Whether the rules were asked anything. */
  boolean stepped;

  /** What the last step said. */
  long nextDeadlineMs = Long.MAX_VALUE;

  /** Set if the log was read in this burst, which is then its last event. */
  Status.@Nullable Loaded loaded;
}
