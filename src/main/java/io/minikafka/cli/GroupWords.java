package io.minikafka.cli;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.minikafka.admin.v1.GroupState;
import io.minikafka.admin.v1.MemberState;
import java.math.BigDecimal;
import java.time.Instant;

/** What the commands on groups say in words and numbers. Stateless. */
final class GroupWords {
  private GroupWords() {}

  static String state(GroupState state) {
    return switch (state) {
      case GROUP_STATE_EMPTY -> "empty";
      case GROUP_STATE_STABLE -> "stable";
      case GROUP_STATE_REBALANCING -> "rebalancing";
      case GROUP_STATE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
    };
  }

  static String state(MemberState state) {
    return switch (state) {
      case MEMBER_STATE_LIVE -> "live";
      case MEMBER_STATE_AWAY -> "away";
      case MEMBER_STATE_GONE -> "gone";
      case MEMBER_STATE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
    };
  }

  /** As a number, without what follows the last millisecond. */
  static BigDecimal seconds(Duration duration) {
    long ms = duration.getSeconds() * 1000 + duration.getNanos() / 1_000_000;
    return BigDecimal.valueOf(ms, 3);
  }

  /** "1h 5m", "3.250s": the two largest units. */
  static String inWords(Duration duration) {
    long seconds = duration.getSeconds();
    long days = seconds / 86_400;
    long hours = seconds / 3_600 % 24;
    long minutes = seconds / 60 % 60;
    if (days > 0) {
      return days + "d " + hours + "h";
    }
    if (hours > 0) {
      return hours + "h " + minutes + "m";
    }
    return minutes > 0 ? minutes + "m " + seconds % 60 + "s" : seconds(duration) + "s";
  }

  /** A number, or a dash where there is none. */
  static Object orDash(boolean known, Object value) {
    return known ? value : "-";
  }

  static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }
}
