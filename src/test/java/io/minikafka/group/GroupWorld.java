package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * One random life of a group: members of both versions, a network that delays and loses, a broker
 * that crashes, topics that come and go. Everything follows from the seed.
 *
 * <p>Checked after each step: who holds a partition by its own clock is its owner in the grant log;
 * the grant log never has two; a commit is accepted from its owner and from nobody else; what is
 * committed is what was accepted last. {@link #quiet} checks that everything comes to rest.
 */
final class GroupWorld {
  static final String GROUP = "g";
  private static final long LOG_END = 1000;
  private static final long WALL_MS = 1_700_000_000_000L;

  final Random random;
  final GroupEvent.LogEnds ends = partition -> OptionalLong.of(LOG_END);
  final List<ModelMember> members = new ArrayList<>();
  long nowMs = 5;

  private final List<Wire> wires = new ArrayList<>();
  private final Map<Long, Wire> tickets = new HashMap<>();

  private final WorldTopics topics;
  private final SimBroker broker;
  private final Promises promises;
  private final Operator operator;
  private final boolean tracing;
  private final List<String> trace = new ArrayList<>();
  private final String assignor;
  private long made;

  /** Something happened to the group since the last check. */
  private boolean changed;

  GroupWorld(long seed, Fault fault, boolean tracing) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.tracing = tracing;
    this.assignor = pick(List.of("range", "round-robin", "sticky"));
    broker =
        new SimBroker(
            SimBroker.limits(chance(2) ? GroupLimits.DEFAULTS.joinWindowMs() : 0),
            fault,
            this::route);
    topics = new WorldTopics(random);
    promises = new Promises(broker, topics, members);
    operator = new Operator(this, broker, topics, this::event, this::overrule);
    broker.restart(false, topics.view(), nowMs, wallMs());
    broker.flush();
  }

  List<String> trace() {
    return trace;
  }

  boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  /** Said by whoever may be the first. */
  String assignor() {
    boolean empty = broker.groups().list().stream().allMatch(group -> group.members() == 0);
    return empty ? assignor : "";
  }

  <T> T pick(Collection<T> from) {
    return List.copyOf(from).get(random.nextInt(from.size()));
  }

  List<String> someTopics() {
    return pick(List.of(List.of("a"), List.of("a", "b"), List.of("a", "b"), List.of("b", "a")));
  }

  String newId() {
    return "m" + ++made;
  }

  long newTicket() {
    return ++made;
  }

  Wire connect(ModelMember member) {
    Wire wire = new Wire(++made, member);
    wires.add(wire);
    return wire;
  }

  /** The member has closed it; the broker hears of it later, and gets some of what was sent. */
  void abandon(Wire wire) {
    wire.answers.clear();
    wire.closed = true;
  }

  void send(Wire wire, GroupEvent event) {
    wire.requests.add(event);
  }

  void run(int steps) {
    int first = 1 + random.nextInt(3);
    for (int i = 0; i < first; i++) {
      newMember();
    }
    for (int i = 0; i < steps; i++) {
      step();
      check();
    }
  }

  private void step() {
    if (members.isEmpty() || wires.isEmpty()) {
      newMember();
    }
    int dice = random.nextInt(1000);
    if (dice < 300) {
      act(false);
    } else if (dice < 550) {
      deliverRequest();
    } else if (dice < 750) {
      deliverAnswer();
    } else if (dice < 850) {
      pass(1 + random.nextInt(chance(8) ? 900 : 120));
    } else if (dice < 930) {
      broker.flush();
    } else {
      trouble(dice);
    }
  }

  private void trouble(int dice) {
    if (dice < 940 && members.size() < 7) {
      newMember();
    } else if (dice < 948) {
      Wire wire = pick(wires);
      trace("drop %d", wire.connection);
      if (wire.closed) {
        event(new GroupEvent.Disconnected(wire.connection));
        wires.remove(wire);
      } else {
        wire.member.reconnect();
      }
    } else if (dice < 953) {
      ModelMember member = pick(members);
      trace("kill %s", member.id());
      member.alive = false;
      abandon(member.wire);
    } else if (dice < 962) {
      ModelMember member = pick(members);
      member.paused = !member.paused;
      trace("%s %s", member.paused ? "pause" : "resume", member.id());
    } else if (dice < 970) {
      restart();
    } else if (dice < 978) {
      changeTopics();
      event(new GroupEvent.TopicsChanged(topics.view()));
    } else if (dice < 983) {
      int stalledMs = 100 + random.nextInt(3000);
      nowMs += stalledMs;
      event(new GroupEvent.Stalled(stalledMs));
    } else if (dice < 988) {
      operator.act();
    } else if (dice < 991) {
      cut();
    } else if (dice < 994) {
      Wire wire = pick(wires);
      event(
          chance(2)
              ? new GroupEvent.ConnectionHeld(wire.connection)
              : new GroupEvent.ConnectionFreed(wire.connection));
    } else if (dice < 996) {
      nobodyCommits();
    } else {
      event(new GroupEvent.Sweep(partition -> OptionalLong.of(0)));
    }
  }

  private void newMember() {
    members.add(
        chance(3)
            ? new Model0(this, someTopics())
            : new Model1(this, chance(3) ? "i" + random.nextInt(2) : "", someTopics()));
  }

  private void act(boolean calm) {
    ModelMember member = pick(members);
    if (member.mayAct()) {
      member.act(calm);
    }
  }

  private void deliverRequest() {
    Wire wire = pick(wires);
    if (wire.requests.isEmpty()) {
      return;
    }
    handle(wire, wire.requests.removeFirst());
  }

  private void handle(Wire wire, GroupEvent event) {
    tickets.put(Wire.ticketOf(event), wire);
    List<Answer> answers = event(event);
    if (event instanceof GroupEvent.Commit commit) {
      promises.committed(commit, Wire.result(answers, commit.ticket()), nowMs);
    } else if (event instanceof GroupEvent.Commit0 commit) {
      promises.committed(commit, Wire.result(answers, commit.ticket()), (Model0) wire.member);
    }
  }

  private void route(Answer answer) {
    Wire wire = tickets.remove(answer.ticket());
    trace("  out %s", answer);
    promises.answered(answer.result());
    if (wire != null && !wire.closed) {
      wire.answers.add(answer);
    }
  }

  private void deliverAnswer() {
    Wire wire = pick(wires);
    if (!wire.answers.isEmpty() && wire.member.mayAct()) {
      Answer answer = wire.answers.remove(random.nextInt(wire.answers.size()));
      trace("in %s", answer);
      wire.member.receive(answer);
    }
  }

  private void pass(long ms) {
    nowMs += ms;
    if (broker.deadlineMs() <= nowMs) {
      event(new GroupEvent.Tick());
    }
  }

  private List<Answer> event(GroupEvent event) {
    trace("%d %s", nowMs, event);
    changed = true;
    return broker.on(event, nowMs, wallMs());
  }

  private long wallMs() {
    return WALL_MS + nowMs;
  }

  private void restart() {
    if (chance(2)) {
      broker.flush();
    }
    if (chance(4)) {
      changeTopics();
    }
    trace("%d restart", nowMs);
    List<Wire> all = List.copyOf(wires);
    tickets.clear();
    wires.clear();
    for (Wire wire : all) {
      if (!wire.closed) {
        wire.member.reconnect();
      }
    }
    wires.removeIf(wire -> wire.closed);
    nowMs += random.nextInt(500);
    broker.restart(chance(2), topics.view(), nowMs, wallMs());
    dropGone(topics.view());
  }

  private void changeTopics() {
    overrule(topics.change());
    dropGone(topics.view());
    trace("%d topics %s", nowMs, topics.all());
  }

  private void dropGone(TopicsView now) {
    broker.commits.keySet().removeIf(partition -> !now.hasPartition(partition));
    broker.resets.keySet().removeIf(partition -> !now.hasPartition(partition));
  }

  private void overrule(Set<TopicPartition> partitions) {
    for (ModelMember member : members) {
      if (member instanceof Model0 old) {
        old.overruled(partitions);
      }
    }
  }

  private void cut() {
    PartitionId partition = topics.somePartition();
    long end = random.nextInt(1000);
    event(new GroupEvent.PartitionOpened(partition, epoch -> end));
    broker.commits.computeIfPresent(partition, (key, offset) -> Math.min(offset, end));
    broker.resets.computeIfPresent(partition, (key, was) -> was.cutAt(end));
  }

  private void nobodyCommits() {
    PartitionId partition = topics.somePartition();
    GroupEvent.CommitPart part = new GroupEvent.CommitPart(partition, 0, 17, 1, "");
    boolean free =
        broker.groups().describe(GROUP, nowMs).map(g -> g.members().isEmpty()).orElse(true);
    List<Answer> answers =
        event(new GroupEvent.Commit(newTicket(), 0, GROUP, "", List.of(part), ends));
    if (answers.getFirst().result() instanceof GroupResult.Committed) {
      Promises.require(free, "a commit of nobody was accepted beside members");
      broker.commits.put(partition, 17L);
    }
  }

  private void check() {
    promises.holdersAreOwners();
    if (changed) {
      changed = false;
      promises.commitsAreThoseAccepted(nowMs);
    }
  }

  /** No more trouble: in bounded time all is owned, evenly, and known to those who own it. */
  void quiet() {
    trace("%d quiet", nowMs);
    members.removeIf(member -> !member.alive);
    members.forEach(member -> member.paused = false);
    for (Wire wire : List.copyOf(wires)) {
      event(new GroupEvent.ConnectionFreed(wire.connection));
      if (wire.closed || !wire.member.alive) {
        event(new GroupEvent.Disconnected(wire.connection));
        wires.remove(wire);
      }
    }
    Optional<String> unrest = Optional.of("not begun");
    for (int round = 0; round < 1500 && unrest.isPresent(); round++) {
      for (Wire wire : List.copyOf(wires)) {
        while (!wire.requests.isEmpty()) {
          handle(wire, wire.requests.removeFirst());
        }
      }
      broker.flush();
      for (Wire wire : List.copyOf(wires)) {
        while (!wire.answers.isEmpty()) {
          wire.member.receive(wire.answers.removeFirst());
        }
        if (wire.closed) {
          event(new GroupEvent.Disconnected(wire.connection));
          wires.remove(wire);
        }
      }
      members.removeIf(member -> !member.alive);
      for (ModelMember member : List.copyOf(members)) {
        if (chance(2)) {
          member.act(true);
        }
      }
      check();
      pass(60);
      unrest = Evenness.unrest(broker.groups().describe(GROUP, nowMs), topics.all(), members);
    }
    Promises.require(unrest.isEmpty(), "no rest: %s", unrest.orElse(""));
  }

  private void trace(String line, Object... values) {
    if (tracing) {
      trace.add(
          line.formatted(values)
              .replace("00000000-0000-0007-0000-00000000", "t")
              .replaceAll("GrantedPartition|partition=|io.minikafka.group.GroupWorld\\S*", ""));
    }
  }
}
