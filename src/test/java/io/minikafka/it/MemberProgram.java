package io.minikafka.it;

import io.minikafka.TopicPartition;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.CommitRefusedException;
import io.minikafka.client.CommittedOffset;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ServerAddress;
import io.minikafka.client.WakeupException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A member of a group in a process of its own, which tells on its standard output what happens to
 * it, one line each, before it goes on: {@code nanos word arguments}.
 *
 * <ul>
 *   <li>{@code assigned p,p}, {@code revoked p,p}, {@code lost p,p}
 *   <li>{@code got p from to}: offsets a poll returned, without a hole
 *   <li>{@code polled}: all of one poll was told
 *   <li>{@code committed p offset}: acknowledged
 *   <li>{@code refused why}: a commit that was not taken
 *   <li>{@code failed why}: anything else; it goes on
 * </ul>
 *
 * <p>Ends at SIGTERM, leaving its group.
 */
final class MemberProgram {
  private final Consumer consumer;
  private final PrintStream out = System.out;
  private volatile boolean stopping;

  private MemberProgram(Consumer consumer) {
    this.consumer = consumer;
  }

  /** Arguments: server, topic, group, session in ms. */
  public static void main(String[] args) {
    ServerAddress server = ServerAddress.parse(args[0]);
    ClientSettings client = ClientSettings.builder(server).backoffMs(20, 200).build();
    ConsumerSettings settings = ConsumerSettings.builder(client).maxPollRecords(500).build();
    GroupSettings group =
        GroupSettings.builder(args[2])
            .sessionMs(Integer.parseInt(args[3]))
            .autoCommit(false)
            .build();
    Thread main = Thread.currentThread();
    try (Consumer consumer = Consumer.open(settings)) {
      MemberProgram member = new MemberProgram(consumer);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> member.stop(main)));
      consumer.subscribe(List.of(args[1]), group, member.listener());
      member.run();
    }
  }

  private void stop(Thread main) {
    stopping = true;
    consumer.wakeup();
    try {
      main.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private RebalanceListener listener() {
    return new RebalanceListener() {
      @Override
      public void onAssigned(Set<TopicPartition> partitions) {
        tell("assigned " + list(partitions));
      }

      @Override
      public void onRevoked(Set<TopicPartition> partitions) {
        tell("revoked " + list(partitions));
      }

      @Override
      public void onLost(Set<TopicPartition> partitions) {
        tell("lost " + list(partitions));
      }
    };
  }

  private void run() {
    while (!stopping) {
      try {
        List<ConsumerRecord> records = consumer.poll(Duration.ofMillis(100));
        if (!records.isEmpty()) {
          commit(tell(records));
        }
      } catch (WakeupException e) {
        // Asked to stop, or about to be.
      } catch (CommitRefusedException e) {
        tell("refused " + e.getMessage());
      } catch (MinikafkaException e) {
        tell("failed " + e);
      }
    }
  }

  /** What to commit for them. */
  private Map<TopicPartition, CommittedOffset> tell(List<ConsumerRecord> records) {
    Map<TopicPartition, CommittedOffset> next = new LinkedHashMap<>();
    int from = 0;
    for (int i = 1; i <= records.size(); i++) {
      if (i == records.size() || !follows(records.get(i - 1), records.get(i))) {
        ConsumerRecord last = records.get(i - 1);
        tell("got %d %d %d".formatted(last.partition(), records.get(from).offset(), last.offset()));
        next.put(last.source(), CommittedOffset.of(last.offset() + 1));
        from = i;
      }
    }
    tell("polled");
    return next;
  }

  private static boolean follows(ConsumerRecord last, ConsumerRecord next) {
    return last.source().equals(next.source()) && last.offset() + 1 == next.offset();
  }

  private void commit(Map<TopicPartition, CommittedOffset> next) {
    consumer.commitSync(next);
    next.forEach(
        (partition, offset) ->
            tell("committed %d %d".formatted(partition.partition(), offset.offset())));
  }

  private void tell(String what) {
    out.println(System.nanoTime() + " " + what.replace('\n', ' '));
    out.flush();
  }

  private static String list(Set<TopicPartition> partitions) {
    return partitions.stream()
        .map(partition -> String.valueOf(partition.partition()))
        .sorted()
        .collect(Collectors.joining(","));
  }
}
