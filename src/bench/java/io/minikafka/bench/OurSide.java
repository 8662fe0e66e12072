package io.minikafka.bench;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** minikafka, as packaged, with its Java client. */
final class OurSide implements Side {
  private final OwnBroker broker;
  private final long readyNanos;
  private final ClientSettings client;
  private final Target target;
  private final Topics topics;
  private final List<List<Lane>> made = new ArrayList<>();

  private OurSide(OwnBroker broker, long readyNanos) {
    this.broker = broker;
    this.readyNanos = readyNanos;
    this.client = ClientSettings.of(broker.data());
    this.target = Target.of(broker, OurSide::remove);
    this.topics = new Topics(target, client, "compare");
  }

  /**
   * @param program {@code target/minikafka}
   */
  static OurSide start(Path program, Path parent, Path log)
      throws IOException, InterruptedException {
    OwnBroker.Command command =
        new OwnBroker.Command(List.of(program.toString()), List.of(), Optional.empty());
    long began = System.nanoTime();
    OwnBroker broker = OwnBroker.start(command, parent, log);
    return new OurSide(broker, System.nanoTime() - began);
  }

  @Override
  public String system() {
    return "minikafka";
  }

  @Override
  public Crew producers(Point.Produce point, Effort effort) throws IOException {
    List<Load> loads = new ArrayList<>();
    List<Lane> lanes = create(point.partitions(), point.policy());
    for (int i = 0; i < point.producers(); i++) {
      loads.add(new ApiProduce(client, lanes.get(i % lanes.size()), point.shape()));
    }
    return new Crew(loads, effort.patienceNanos());
  }

  @Override
  public Crew consumers(Point.Consume point, Effort effort) throws IOException {
    Filled filled =
        Filled.of(
            client,
            create(1, Policy.NONE),
            point.recordBytes(),
            effort.perRep().wireBytes() / Comparison.PARTS_OF_A_REPETITION);
    Load load =
        new ApiConsume(
            client,
            filled.lanes().getFirst(),
            Optional.empty(),
            new Seats(1),
            point.fetchBytes(),
            point.recordBytes(),
            filled.ends());
    return new Crew(List.of(load), effort.patienceNanos());
  }

  @Override
  public Pipe pipe(Point.Latency point) throws IOException {
    Lane lane = create(1, point.policy()).getFirst();
    return new ClientPipe(client, lane, pipeSettings(client, point.shape()));
  }

  /** A lone record is sent at once, and what comes while the window is full goes in one batch. */
  static ProducerSettings pipeSettings(ClientSettings client, ProduceShape shape) {
    return ProducerSettings.builder(client)
        .batchBytes(KafkaClients.PIPE_BATCH_BYTES)
        .lingerMs(0)
        .maxInFlight(shape.inFlight())
        .build();
  }

  private List<Lane> create(int partitions, Policy policy) throws IOException {
    List<Lane> lanes = topics.create(partitions, policy);
    made.add(lanes);
    return lanes;
  }

  @Override
  public void removeTopics() throws IOException {
    for (List<Lane> lanes : made) {
      topics.remove(lanes);
    }
    made.clear();
  }

  private static void remove(ServerAddress http, String topic) {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress(http.host(), http.port()).usePlaintext().build();
    try {
      TopicServiceDeleteRequest request =
          TopicServiceDeleteRequest.newBuilder().setName(topic).build();
      TopicServiceGrpc.newBlockingStub(channel).delete(request);
    } finally {
      channel.shutdownNow();
    }
  }

  @Override
  public Usage usage() throws IOException {
    return target.usage();
  }

  @Override
  public ProcessHandle handle() {
    return ProcessHandle.of(broker.pid()).orElseThrow();
  }

  @Override
  public long readyNanos() {
    return readyNanos;
  }

  @Override
  public void close() {
    broker.close();
  }
}
