package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupEvent.CommitPart;
import io.minikafka.group.TopicsView.TopicView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Plays the commands of a scenario and writes down what the rules say. Members remember what they
 * were told, so that a command names only what is special; the commands are explained in
 * src/test/resources/group/README.txt.
 */
final class Script {
  private static final String GROUP = "g";

  private final Transcript transcript = new Transcript();
  private final Map<String, Player> players = new HashMap<>();
  private final Map<String, TopicView> topics = new LinkedHashMap<>();
  private final Map<Long, String> labels = new HashMap<>();
  private final Map<Long, Player> asking = new HashMap<>();
  private final List<GroupRecord> log = new ArrayList<>();
  private final Map<String, Long> connections = new HashMap<>();
  private Groups groups;
  private GroupLimits limits = GroupLimits.DEFAULTS;
  private long nowMs;
  private long deadlineMs = Long.MAX_VALUE;
  private long tickets;
  private long topicIds;

  /** Who the script calls by a name, and what it was told. */
  private static final class Player {
    String id;
    long number;
    long generation;
    Map<PartitionId, Long> list = new LinkedHashMap<>();

    Player(String id) {
      this.id = id;
    }
  }

  Script() {
    groups = new Groups(limits);
    groups.opened(TopicsView.EMPTY, 0, 0).records().forEach(log::add);
  }

  List<String> play(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(">")) {
        transcript.command(line);
        run(new Words(line.substring(1)));
      } else if (line.isBlank() || line.startsWith("#")) {
        transcript.command(line);
      }
    }
    return transcript.lines();
  }

  private void run(Words words) {
    switch (words.verb()) {
      case "limits" -> limits(words);
      case "topics" -> topics(words);
      case "join" -> join(words);
      case "join0" -> join0(words);
      case "beat" -> beat(words);
      case "beat0" -> beat0(words);
      case "leave" ->
          event(
              new GroupEvent.Leave(
                  ticket(words),
                  connection(words),
                  group(words),
                  id(words),
                  words.has("keepSeat")));
      case "commit" -> commit(words);
      case "commit0" -> commit0(words);
      case "fetch" ->
          event(new GroupEvent.FetchOffsets(ticket(words), group(words), named(words.rest())));
      case "fetch0" -> {
        String[] name = words.rest().getFirst().split("-");
        event(
            new GroupEvent.FetchOffset0(
                ticket(words), group(words), name[0], Integer.parseInt(name[1])));
      }
      case "close" -> event(new GroupEvent.Disconnected(connection(words)));
      case "hold" -> event(new GroupEvent.ConnectionHeld(connection(words)));
      case "free" -> event(new GroupEvent.ConnectionFreed(connection(words)));
      case "wait" -> pass(words.number(0));
      case "jump" -> nowMs += words.number(0);
      case "tick" -> event(new GroupEvent.Tick());
      case "stalled" -> {
        nowMs += words.number(0);
        event(new GroupEvent.Stalled(words.number(0)));
      }
      case "restart" -> restart();
      case "cut" -> {
        long end = words.number(1);
        event(new GroupEvent.PartitionOpened(named(words.rest()).getFirst(), epoch -> end));
      }
      case "sweep" -> {
        long start = words.number(0);
        event(new GroupEvent.Sweep(partition -> OptionalLong.of(start)));
      }
      case "set" -> set(words);
      case "deleteOffsets" ->
          event(
              new GroupEvent.DeleteOffsets(
                  ticket(words), group(words), named(words.rest()), words.has("trial")));
      case "deleteGroup" ->
          event(new GroupEvent.DeleteGroup(ticket(words), group(words), words.has("trial")));
      case "undo" ->
          event(
              new GroupEvent.UndoReset(
                  ticket(words), group(words), words.has("force"), words.has("trial"), this::end));
      case "describe" -> groups.describe(group(words), nowMs).ifPresent(transcript::description);
      default -> throw new IllegalArgumentException("no command " + words.verb());
    }
  }

  private void limits(Words words) {
    GroupLimits d = GroupLimits.DEFAULTS;
    limits =
        new GroupLimits(
            (int) words.number("groups", d.maxGroups()),
            (int) words.number("members", d.maxMembers()),
            (int) words.number("topics", d.maxTopics()),
            (int) words.number("name", d.maxNameLength()),
            (int) words.number("metadata", d.maxMetadataBytes()),
            d.minSessionMs(),
            d.maxSessionMs(),
            (int) words.number("window", d.joinWindowMs()),
            words.number("retention", d.offsetsRetentionMs()),
            (int) words.number("rebalances", d.maxRebalances()));
    restart();
  }

  /** All topics there are: {@code a:3} with three partitions, {@code a!:3} created again. */
  private void topics(Words words) {
    Map<String, TopicView> before = Map.copyOf(topics);
    topics.clear();
    for (String word : words.rest()) {
      String[] parts = word.split(":");
      boolean again = parts[0].endsWith("!");
      String name = again ? parts[0].substring(0, parts[0].length() - 1) : parts[0];
      TopicView was = before.get(name);
      UUID id = was == null || again ? new UUID(7, ++topicIds) : was.id();
      transcript.name(id, name);
      topics.put(name, new TopicView(name, id, Integer.parseInt(parts[1]), name.startsWith("__")));
    }
    event(new GroupEvent.TopicsChanged(TopicsView.of(topics.values())));
  }

  private void join(Words words) {
    event(
        new GroupEvent.Join(
            ticket(words),
            connection(words),
            1,
            group(words),
            id(words),
            words.value("instance", ""),
            words.number("session", 900),
            words.number("rebalance", 500),
            words.value("assignor", ""),
            split(words.value("topics", "a"))));
  }

  private void join0(Words words) {
    Player player = players.computeIfAbsent(words.who(), name -> new Player(""));
    event(
        GroupEvent.Join.version0(
            ticket(words),
            connection(words),
            group(words),
            words.value("id", player.id),
            words.number("session", 900),
            split(words.value("topics", "a"))));
  }

  private void beat(Words words) {
    Player player = player(words);
    List<PartitionId> owned = new ArrayList<>(player.list.keySet());
    owned.addAll(named(split(words.value("with", ""))));
    owned.removeAll(named(split(words.value("without", ""))));
    long number = player.number;
    if (words.has("answer")) {
      String[] parts = words.value("answer", "").split("\\.");
      number = (Long.parseLong(parts[0]) << 40) + Long.parseLong(parts[1]);
    }
    event(
        new GroupEvent.Heartbeat(
            ticket(words),
            connection(words),
            group(words),
            id(words),
            number,
            words.number("wait", 60_000),
            owned));
  }

  private void beat0(Words words) {
    event(
        new GroupEvent.Heartbeat0(
            ticket(words),
            connection(words),
            group(words),
            id(words),
            (int) words.number("generation", player(words).generation)));
  }

  private void commit(Words words) {
    List<CommitPart> parts = new ArrayList<>();
    for (String word : words.rest()) {
      String[] halves = word.split("[:@]");
      PartitionId partition = partition(halves[0]);
      long grant =
          halves.length > 2
              ? Long.parseLong(halves[2])
              : player(words).list.getOrDefault(partition, 0L);
      parts.add(
          new CommitPart(
              partition,
              grant,
              Long.parseLong(halves[1]),
              (int) words.number("epoch", 1),
              words.value("metadata", "").repeat((int) words.number("times", 1))));
    }
    event(
        new GroupEvent.Commit(
            ticket(words), connection(words), group(words), id(words), parts, this::end));
  }

  private void commit0(Words words) {
    String[] halves = words.rest().getFirst().split("[-:]", 3);
    event(
        new GroupEvent.Commit0(
            ticket(words),
            connection(words),
            group(words),
            id(words),
            (int) words.number("generation", player(words).generation),
            halves[0],
            Integer.parseInt(halves[1]),
            Long.parseLong(halves[2]),
            this::end));
  }

  /** Every log ends at 100; that of partition 9 is not known. */
  private OptionalLong end(PartitionId partition) {
    return partition.partition() == 9 ? OptionalLong.empty() : OptionalLong.of(100);
  }

  private void set(Words words) {
    Map<PartitionId, CommittedOffset> committed = new HashMap<>();
    groups
        .describe(group(words), nowMs)
        .ifPresent(
            group ->
                group
                    .commits()
                    .forEach(
                        one -> one.commit().ifPresent(at -> committed.put(one.partition(), at))));
    List<GroupEvent.OffsetChange> changes = new ArrayList<>();
    for (String word : words.rest()) {
      if (word.contains(":")) {
        String[] halves = word.split(":");
        PartitionId partition = partition(halves[0]);
        changes.add(
            new GroupEvent.OffsetChange(
                partition,
                words.has("fresh")
                    ? Optional.empty()
                    : Optional.ofNullable(committed.get(partition)),
                Long.parseLong(halves[1]),
                1,
                words.value("metadata", "")));
      }
    }
    long start = words.number("start", 0);
    event(
        new GroupEvent.SetOffsets(
            ticket(words),
            group(words),
            changes,
            words.has("force"),
            words.has("trial"),
            words.has("generation")
                ? OptionalLong.of(words.number("generation", 0))
                : OptionalLong.empty(),
            partition -> OptionalLong.of(start),
            this::end));
  }

  /** Time passes, and whatever is due comes when it is due. */
  private void pass(long ms) {
    long endMs = nowMs + ms;
    while (deadlineMs <= endMs) {
      nowMs = Math.max(nowMs, deadlineMs);
      event(new GroupEvent.Tick());
    }
    nowMs = endMs;
  }

  private void restart() {
    List<GroupRecord> before = groups.snapshot();
    groups = new Groups(limits);
    log.forEach(groups::replay);
    if (!groups.snapshot().equals(before)) {
      throw new AssertionError("replayed " + groups.snapshot() + "\nlive was " + before);
    }
    take(groups.opened(TopicsView.of(topics.values()), nowMs, nowMs));
  }

  private void event(GroupEvent event) {
    take(groups.on(event, nowMs, nowMs));
  }

  private void take(Step step) {
    log.addAll(step.records());
    deadlineMs = step.nextDeadlineMs();
    for (Answer answer : step.answers()) {
      Player player = asking.remove(answer.ticket());
      if (player != null) {
        told(player, answer.result());
      }
    }
    transcript.step(step, labels);
  }

  private static void told(Player player, GroupResult result) {
    if (result instanceof GroupResult.Joined joined) {
      player.id = joined.member();
      player.generation = joined.generation();
      listed(player, joined.assignment(), joined.partitions());
    } else if (result instanceof GroupResult.Current current) {
      listed(player, current.assignment(), current.partitions());
    }
  }

  private static void listed(Player player, long number, List<GrantedPartition> partitions) {
    player.number = number;
    player.list.clear();
    partitions.forEach(one -> player.list.put(one.partition(), one.grant()));
  }

  private long ticket(Words words) {
    labels.put(++tickets, words.label());
    if (!words.who().isEmpty()) {
      asking.put(tickets, player(words));
    }
    return tickets;
  }

  private Player player(Words words) {
    return players.computeIfAbsent(words.who(), Player::new);
  }

  private String id(Words words) {
    return words.value("id", player(words).id).replace("empty", "").replace("_", " ");
  }

  private static String group(Words words) {
    return words.value("group", GROUP).replace("empty", "");
  }

  private long connection(Words words) {
    String name = words.value("on", words.who().isEmpty() ? words.firstOr("") : words.who());
    return connections.computeIfAbsent(name, key -> connections.size() + 1L);
  }

  private List<PartitionId> named(List<String> names) {
    return names.stream().filter(name -> name.contains("-")).map(this::partition).toList();
  }

  private PartitionId partition(String name) {
    String[] parts = name.split("-");
    TopicView topic = topics.get(parts[0]);
    return new PartitionId(topic == null ? new UUID(0, 0) : topic.id(), Integer.parseInt(parts[1]));
  }

  private static List<String> split(String names) {
    return Arrays.stream(names.split(",")).filter(name -> !name.isEmpty()).toList();
  }
}
