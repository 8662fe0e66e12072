package io.minikafka.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.group.Assignor.Subscriber;
import io.minikafka.group.TopicsView.TopicView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AssignorTest {
  private static final TopicsView TOPICS = topics(7, 3, 4);

  @Test
  void rangeGivesNeighboursTopicByTopic() {
    assertEquals(
        "[a-0 a-1 a-2 b-0 b-1 c-0 c-1, a-3 a-4 b-2 c-2 c-3, a-5 a-6]",
        said(
            Assignor.RANGE.assign(
                List.of(
                    subscriber("1", "a", "b", "c"),
                    subscriber("2", "a", "b", "c"),
                    subscriber("3", "a")),
                TOPICS,
                partition -> "")));
  }

  @Test
  void roundRobinGoesOnAcrossTopicsAndPassesOverWhoDoesNotWant() {
    assertEquals(
        "[a-0 a-2 a-4 a-6 c-0 c-2, a-1 a-3 a-5 c-1 c-3, b-0 b-1 b-2]",
        said(
            Assignor.ROUND_ROBIN.assign(
                List.of(subscriber("1", "a", "c"), subscriber("2", "c", "a"), subscriber("3", "b")),
                TOPICS,
                partition -> "")));
  }

  @Test
  void topicsThatAreNotThereAndInternalOnesAreNobodys() {
    TopicsView topics = TopicsView.of(List.of(new TopicView("a", new UUID(0, 1), 2, true)));
    for (Assignor assignor : Assignor.values()) {
      assertEquals(
          "[]",
          said(assignor.assign(List.of(subscriber("1", "a", "nowhere")), topics, partition -> "")));
      assertEquals(List.of(), assignor.assign(List.of(), TOPICS, partition -> ""));
    }
  }

  @Test
  void everyPartitionThatIsWantedGoesToOneWhoWantsIt() {
    forSeeds(
        random -> {
          List<Subscriber> subscribers = someSubscribers(random, false);
          for (Assignor assignor : Assignor.values()) {
            List<List<PartitionId>> shares =
                assignor.assign(subscribers, TOPICS, partition -> someSeat(random, subscribers));
            Set<PartitionId> given = new HashSet<>();
            for (int i = 0; i < shares.size(); i++) {
              for (PartitionId partition : shares.get(i)) {
                assertTrue(given.add(partition), "twice " + partition);
                assertTrue(
                    subscribers.get(i).topics().contains(TOPICS.nameOf(partition)),
                    "unwanted " + partition);
              }
            }
            int wanted =
                TOPICS.all().stream()
                    .filter(
                        topic ->
                            subscribers.stream().anyMatch(s -> s.topics().contains(topic.name())))
                    .mapToInt(TopicView::partitions)
                    .sum();
            assertEquals(wanted, given.size());
          }
        });
  }

  @Test
  void sizesDifferByAtMostOneWhenAllWantTheSame() {
    forSeeds(
        random -> {
          List<Subscriber> subscribers = someSubscribers(random, true);
          for (Assignor assignor : List.of(Assignor.ROUND_ROBIN, Assignor.STICKY)) {
            IntSummaryStatistics sizes =
                assignor
                    .assign(subscribers, TOPICS, partition -> someSeat(random, subscribers))
                    .stream()
                    .mapToInt(List::size)
                    .summaryStatistics();
            assertTrue(sizes.getMax() - sizes.getMin() <= 1, assignor + ": " + sizes);
          }
        });
  }

  /** With all wanting the same, each keeps what fits into even shares: nobody can do with less. */
  @Test
  void stickyMovesNoMoreThanItMust() {
    forSeeds(
        random -> {
          List<Subscriber> subscribers = someSubscribers(random, true);
          Map<PartitionId, String> current = new HashMap<>();
          Map<String, Integer> sizes = new HashMap<>();
          List<PartitionId> all = new ArrayList<>();
          for (TopicView topic : TOPICS.all()) {
            for (int i = 0; i < topic.partitions(); i++) {
              all.add(new PartitionId(topic.id(), i));
            }
          }
          List<String> wants = subscribers.getFirst().topics();
          all.removeIf(partition -> !wants.contains(TOPICS.nameOf(partition)));
          for (PartitionId partition : all) {
            String seat = someSeat(random, subscribers);
            current.put(partition, seat);
            sizes.merge(seat, 1, Integer::sum);
          }
          sizes.remove("");
          int least = all.size() / subscribers.size();
          int withOneMore = all.size() % subscribers.size();
          long overLeast = sizes.values().stream().filter(size -> size > least).count();
          long mostKept =
              sizes.values().stream().mapToInt(size -> Math.min(size, least)).sum()
                  + Math.min(overLeast, withOneMore);

          List<List<PartitionId>> shares =
              Assignor.STICKY.assign(
                  subscribers, TOPICS, partition -> current.getOrDefault(partition, ""));

          long kept = 0;
          for (int i = 0; i < shares.size(); i++) {
            String seat = subscribers.get(i).seat();
            kept += shares.get(i).stream().filter(one -> seat.equals(current.get(one))).count();
          }
          assertEquals(mostKept, kept);
        });
  }

  @Test
  void stickyIsSoEvenThatNoSingleMoveMakesItMoreSo() {
    forSeeds(
        random -> {
          List<Subscriber> subscribers = someSubscribers(random, false);
          List<List<PartitionId>> shares =
              Assignor.STICKY.assign(
                  subscribers, TOPICS, partition -> someSeat(random, subscribers));
          for (int from = 0; from < shares.size(); from++) {
            for (PartitionId partition : shares.get(from)) {
              for (int to = 0; to < shares.size(); to++) {
                boolean wants = subscribers.get(to).topics().contains(TOPICS.nameOf(partition));
                assertTrue(
                    !wants || shares.get(from).size() - shares.get(to).size() < 2,
                    () -> partition + " in " + shares);
              }
            }
          }
        });
  }

  private interface Property {
    void holds(Random random);
  }

  private static void forSeeds(Property property) {
    long first = Long.getLong("seed", 1);
    long seeds = System.getProperty("seed") == null ? 500 : 1;
    for (long seed = first; seed < first + seeds; seed++) {
      try {
        property.holds(new Random(seed));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static List<Subscriber> someSubscribers(Random random, boolean alike) {
    List<List<String>> wishes =
        List.of(List.of("a"), List.of("b", "c"), List.of("a", "b", "c"), List.of("c", "a"));
    List<String> wish = wishes.get(random.nextInt(wishes.size()));
    List<Subscriber> subscribers = new ArrayList<>();
    int count = 1 + random.nextInt(9);
    for (int i = 0; i < count; i++) {
      subscribers.add(
          new Subscriber("s" + i, alike ? wish : wishes.get(random.nextInt(wishes.size()))));
    }
    return subscribers;
  }

  private static String someSeat(Random random, List<Subscriber> subscribers) {
    int index = random.nextInt(subscribers.size() + 1);
    return index == subscribers.size()
        ? ""
        : subscribers.get(index * index / subscribers.size()).seat();
  }

  private static Subscriber subscriber(String seat, String... topics) {
    return new Subscriber(seat, Arrays.asList(topics));
  }

  private static TopicsView topics(int a, int b, int c) {
    return TopicsView.of(
        List.of(
            new TopicView("a", new UUID(0, 1), a, false),
            new TopicView("b", new UUID(0, 2), b, false),
            new TopicView("c", new UUID(0, 3), c, false)));
  }

  private static String said(List<List<PartitionId>> shares) {
    return shares.stream()
        .map(
            share ->
                share.stream()
                    .map(one -> TOPICS.nameOf(one) + "-" + one.partition())
                    .collect(Collectors.joining(" ")))
        .toList()
        .toString();
  }
}
