package io.minikafka.cli;

import io.minikafka.admin.v1.GroupLag;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.GroupServiceWatchLagResponse;
import io.minikafka.admin.v1.PartitionLag;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "lag",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows how far consumer groups are behind, once or again and again.",
    footer = {
      "",
      "LAG is how many records are left to read, LAG-SECONDS how old the oldest of them is. DELETED"
          + " are records that went unread. - stands for what is not known: nothing is committed,"
          + " or the partition is offline. Without GROUP it shows all. With --output json each look"
          + " is an object on a line of its own.",
      "",
      "Examples:",
      "  minikafka lag",
      "  minikafka lag billing search --watch --interval 500ms",
      "  minikafka lag --topic orders --state stable",
      "  minikafka lag --watch --output json"
    })
final class LagCommand implements Callable<Integer> {
  /** To the upper left corner, and away with what stands there. */
  private static final String CLEAR = "\u001b[H\u001b[2J";

  // The broker's own bounds.
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Mixin GroupsParameters groups;

  @Option(
      names = "--watch",
      description =
          "Go on until interrupted: on a terminal in place, else one after the other, and one object"
              + " a line with --output json.")
  boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "With --watch: how often, 100ms to 1h (1s).")
  @Nullable Duration interval;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  /** Empty: all. */
  private Set<String> named = Set.of();

  /** Of the look that is coming in. */
  private final List<GroupLag> look = new ArrayList<>();

  /** Groups that were named and do not exist, when it looked last. */
  private final Set<String> missing = new TreeSet<>();

  @Override
  public Integer call() throws IOException {
    named = groups.names(spec);
    GroupServiceWatchLagRequest.Builder request =
        GroupServiceWatchLagRequest.newBuilder().addAllGroups(named);
    if (interval != null) {
      check(interval);
      request.setInterval(
          com.google.protobuf.Duration.newBuilder()
              .setSeconds(interval.getSeconds())
              .setNanos(interval.getNano()));
    }
    boolean inPlace = watch && isTerminal();
    admin.groupParts(!watch, stub -> stub.watchLag(request.build()), part -> take(part, inPlace));
    if (!watch && !missing.isEmpty()) {
      throw CallFailedException.unknownGroups(missing);
    }
    return 0;
  }

  private void check(Duration asked) {
    if (!watch) {
      throw new ParameterException(spec.commandLine(), "--interval needs --watch");
    }
    if (asked.compareTo(SHORTEST) < 0 || asked.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval is %s, must be 100 ms … 1 h".formatted(DurationConverter.inWords(asked)));
    }
  }

  /**
   * @return whether more is wanted
   */
  private boolean take(GroupServiceWatchLagResponse part, boolean inPlace) throws IOException {
    part.getGroupsList().forEach(this::take);
    if (part.getMore()) {
      return true;
    }
    missing.clear();
    missing.addAll(named);
    look.forEach(group -> missing.remove(group.getGroup().getName()));
    Instant at = GroupWords.instant(part.getAt());
    List<GroupLag> wanted = wanted();
    if (output.isJson()) {
      Json.line(System.out, json -> GroupJson.lag(json, at, wanted));
      System.out.flush();
    } else {
      print(at, wanted, inPlace);
    }
    look.clear();
    // Whoever read it may be gone.
    return watch && !System.out.checkError();
  }

  /** A group with many partitions comes in several pieces. */
  private void take(GroupLag piece) {
    boolean goesOn =
        !look.isEmpty() && look.getLast().getGroup().getName().equals(piece.getGroup().getName());
    if (goesOn) {
      GroupLag before = look.removeLast();
      look.add(before.toBuilder().addAllPartitions(piece.getPartitionsList()).build());
    } else {
      look.add(piece);
    }
  }

  private List<GroupLag> wanted() {
    List<GroupLag> wanted = new ArrayList<>();
    for (GroupLag group : look) {
      List<PartitionLag> lags = groups.wanted(group.getPartitionsList());
      boolean empty = lags.isEmpty() && !groups.wantsAllPartitions();
      if (groups.wants(group.getGroup().getState()) && !empty) {
        wanted.add(
            GroupLag.newBuilder()
                .setGroup(groups.narrowed(group.getGroup(), lags))
                .addAllPartitions(lags)
                .build());
      }
    }
    return wanted;
  }

  private void print(Instant at, List<GroupLag> wanted, boolean inPlace) {
    PrintWriter out = spec.commandLine().getOut();
    if (inPlace) {
      out.print(CLEAR);
    }
    if (watch) {
      out.println(at.truncatedTo(ChronoUnit.MILLIS));
    }
    if (!wanted.isEmpty()) {
      table(wanted).print(out);
    }
    if (watch) {
      missing.forEach(name -> out.println("there is no group '%s' yet".formatted(name)));
    }
    if (look.isEmpty() && named.isEmpty()) {
      (watch ? out : spec.commandLine().getErr()).println("there are no groups yet");
    } else if (wanted.isEmpty() && missing.isEmpty()) {
      (watch ? out : spec.commandLine().getErr())
          .println("no group has what %s".formatted(groups.asked()));
    }
    if (watch && !inPlace) {
      out.println();
    }
    out.flush();
  }

  private static LagTable table(List<GroupLag> wanted) {
    LagTable table =
        new LagTable(
            "GROUP",
            "TOPIC",
            "PARTITION",
            "COMMITTED",
            "HIGH-WATERMARK",
            "LAG",
            "LAG-SECONDS",
            "DELETED",
            "OWNER");
    for (GroupLag group : wanted) {
      for (PartitionLag lag : group.getPartitionsList()) {
        table.row(
            lag,
            group.getGroup().getName(),
            lag.getTopic(),
            lag.getPartition(),
            GroupWords.orDash(lag.hasCommittedOffset(), lag.getCommittedOffset()),
            lag.getHighWatermark(),
            GroupWords.orDash(lag.hasLagRecords(), lag.getLagRecords()),
            GroupWords.orDash(lag.hasLagTime(), GroupWords.seconds(lag.getLagTime())),
            lag.getDeletedUnreadRecords(),
            lag.getOwner().isEmpty() ? "-" : lag.getOwner());
      }
    }
    return table;
  }

  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
