package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures consumers. Keeps the partitions it has filled until other ones are needed, so points of
 * the same records should stand together. One thread.
 */
final class ConsumeRun {
  /** Enough to be read for a while before it begins again, and to stay in the page cache. */
  private static final int PARTS_OF_A_REPETITION = 4;

  private final Topics topics;
  private final ClientSettings client;
  private final Effort effort;
  private final Target target;
  private @Nullable Filled filled;
  private int groups;

  ConsumeRun(Topics topics, ClientSettings client, Effort effort, Target target) {
    this.topics = topics;
    this.client = client;
    this.effort = effort;
    this.target = target;
  }

  Row.Builder measure(Point.Consume point) throws IOException, InterruptedException {
    Filled data = filled(point);
    Row.Builder row = point.row().text(Column.SYSTEM, "minikafka");
    try (Crew crew = new Crew(loads(point, data), effort.patienceNanos())) {
      Throughput.of(crew, effort, target::usage).fill(row);
    }
    return row;
  }

  private Filled filled(Point.Consume point) throws IOException {
    Filled now = filled;
    if (now != null
        && now.recordBytes() == point.recordBytes()
        && now.lanes().size() == point.consumers()) {
      return now;
    }
    close();
    long bytes = Math.max(1, effort.perRep().wireBytes() / PARTS_OF_A_REPETITION);
    List<Lane> lanes = topics.create(point.consumers(), Policy.NONE);
    Filled made = Filled.of(client, lanes, point.recordBytes(), bytes);
    filled = made;
    return made;
  }

  private List<Load> loads(Point.Consume point, Filled data) throws IOException {
    groups++;
    Optional<String> group =
        point.group()
            ? Optional.of(data.lanes().getFirst().topic() + "-group-" + groups)
            : Optional.empty();
    Seats seats = new Seats(point.consumers());
    List<Load> loads = new ArrayList<>();
    for (Lane lane : data.lanes()) {
      loads.add(
          switch (point.client()) {
            case API ->
                new ApiConsume(
                    client,
                    lane,
                    group,
                    seats,
                    point.fetchBytes(),
                    point.recordBytes(),
                    data.ends());
            case RAW ->
                new RawConsume(
                    client.server(),
                    lane,
                    point.fetchBytes(),
                    point.recordBytes(),
                    data.ends().getOrDefault(lane.topicPartition(), 0L));
          });
    }
    return loads;
  }

  /** Deletes what it has filled. */
  void close() throws IOException {
    Filled last = filled;
    filled = null;
    if (last != null) {
      topics.remove(last.lanes());
    }
  }
}
