package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import io.minikafka.TopicPartition;
import io.minikafka.group.GroupSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When lag is told, with the clock in the test's hands. */
class LagFeedTest {
  private static final long INTERVAL_MS = 1_000;

  private final HandTimers timers = new HandTimers();

  /** What was looked for: the name after which to look. */
  private final List<String> looks = new ArrayList<>();

  private CompletableFuture<Result<GroupPage>> page = page("", 1);

  private final LagFeed feed =
      new LagFeed(
          after -> {
            looks.add(after);
            return page;
          },
          timers,
          () -> Instant.ofEpochSecond(0, timers.nanoTime()),
          TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS));

  private static CompletableFuture<Result<GroupPage>> page(String next, int... partitions) {
    List<GroupLag> groups =
        IntStream.range(0, partitions.length)
            .mapToObj(
                n ->
                    GroupLag.of(
                        new GroupSummary("g" + n, GroupSummary.State.EMPTY, 1, "range", 0, 0),
                        IntStream.range(0, partitions[n]).mapToObj(LagFeedTest::lag).toList()))
            .toList();
    return CompletableFuture.completedFuture(Result.done(new GroupPage(groups, next)));
  }

  private static PartitionLag lag(int partition) {
    return new PartitionLag(
        new TopicPartition("t", partition),
        "",
        Optional.empty(),
        0,
        0,
        OptionalLong.empty(),
        OptionalLong.empty(),
        0,
        OptionalLong.empty(),
        OptionalLong.empty(),
        "");
  }

  private LagReport report(CompletableFuture<Result<Optional<LagReport>>> answer) {
    if (answer.isDone()
        && answer.join() instanceof Result.Done<Optional<LagReport>>(Optional<LagReport> report)) {
      return report.orElseThrow();
    }
    throw new AssertionError(answer);
  }

  /** Names and numbers of partitions, and whether more follows. */
  private static String inWords(LagReport report) {
    return report.groups().stream()
            .map(group -> group.summary().group() + ":" + group.partitions().size())
            .toList()
        + (report.more() ? " more" : "");
  }

  @Test
  void firstComesAtOnceAndTheNextAnIntervalAfterItBegan() {
    assertEquals(Instant.EPOCH, report(feed.next()).at());
    timers.advanceMs(300);
    var next = feed.next();
    timers.advanceMs(699);
    assertFalse(next.isDone());
    timers.advanceMs(1);
    assertEquals(Instant.ofEpochSecond(1), report(next).at());
    assertEquals(0, timers.waiting());
  }

  @Test
  void whoAsksLateIsToldAtOnceAndNothingOfWhatItMissed() {
    feed.next();
    timers.advanceMs(10 * INTERVAL_MS + 5);
    assertEquals(Instant.ofEpochSecond(10, 5_000_000), report(feed.next()).at());
    assertEquals(2, looks.size());
    assertFalse(feed.next().isDone());
  }

  @Test
  void lookAtManyGroupsGoesOnBehindTheLastWithoutWaiting() {
    page = page("g1", 1, 1);
    assertEquals("[g0:1, g1:1] more", inWords(report(feed.next())));
    page = page("", 3);
    assertEquals("[g0:3]", inWords(report(feed.next())));
    assertEquals(List.of("", "g1"), looks);
    assertFalse(feed.next().isDone());
    timers.advanceMs(INTERVAL_MS);
    assertEquals(List.of("", "g1", ""), looks);
  }

  @Test
  void noReportHasMorePartitionsThanTheBound() {
    page = page("", 4_999, 2, 10_000, 0, 1);
    assertEquals("[g0:4999, g1:1] more", inWords(report(feed.next())));
    assertEquals("[g1:1, g2:4999] more", inWords(report(feed.next())));
    assertEquals("[g2:5000] more", inWords(report(feed.next())));
    assertEquals("[g2:1, g3:0, g4:1]", inWords(report(feed.next())));
    assertEquals(1, looks.size());
  }

  @Test
  void lookAtNothingIsToldToo() {
    page = page("");
    assertEquals("[]", inWords(report(feed.next())));
  }

  @Test
  void closeLeavesNoTimerAndNoAnswerOpen() {
    feed.next();
    var waits = feed.next();
    assertEquals(1, timers.waiting());
    feed.close();
    feed.close();
    assertEquals(0, timers.waiting());
    assertTrue(waits.isCancelled());
    assertEquals(Result.done(Optional.empty()), feed.next().join());
    assertEquals(1, looks.size());
  }

  @Test
  void closeDuringALookCancelsIt() {
    page = new CompletableFuture<>();
    var waits = feed.next();
    feed.close();
    assertTrue(waits.isCancelled());
    assertTrue(page.isCancelled());
  }

  @Test
  void refusalAndFailureArePassedOn() {
    Refusal refusal = Refusal.of(Refusal.Kind.UNAVAILABLE, "GROUPS_NOT_SERVED", "not now");
    page = CompletableFuture.completedFuture(Result.refused(refusal));
    assertEquals(Result.refused(refusal), feed.next().join());
    page = CompletableFuture.failedFuture(new IllegalStateException("a bug"));
    timers.advanceMs(INTERVAL_MS);
    assertTrue(feed.next().isCompletedExceptionally());
  }
}
