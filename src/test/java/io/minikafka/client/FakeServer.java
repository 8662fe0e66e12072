package io.minikafka.client;

import io.minikafka.FreePorts;
import io.minikafka.PartitionId;
import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.Calls;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A server for one test: blocking sockets, one thread a connection, topics in memory. What it does
 * with the next request of an API can be scripted; everything else it answers as a broker would
 * ({@link FakeBroker}).
 */
final class FakeServer implements AutoCloseable {
  private final boolean version1;
  final Map<String, UUID> topics = new ConcurrentHashMap<>();
  final Map<PartitionId, FakeLog> logs = new ConcurrentHashMap<>();
  final FakeGroup group = new FakeGroup(this);
  private final FakeCoordinator coordinator = new FakeCoordinator(this, group);
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  /** Every request that came, in order. */
  final List<Request> received = new CopyOnWriteArrayList<>();

  private final Map<Api, ArrayDeque<Behaviour>> scripts = new ConcurrentHashMap<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final FakeBroker broker = new FakeBroker(this);
  private final Object arrivals = new Object();
  private Thread acceptor;
  private ServerSocket listener;
  private final int port = FreePorts.next();

  /** What to do with one request instead of answering it. Runs on the connection's thread. */
  @FunctionalInterface
  interface Behaviour {
    void on(Request request) throws IOException, InterruptedException;
  }

  private FakeServer(boolean version1) {
    this.version1 = version1;
    this.listener = listen(port);
    this.acceptor = Thread.ofVirtual().start(() -> accept(listener));
  }

  static FakeServer version1() {
    return new FakeServer(true);
  }

  /** Knows neither Hello nor any version but 0. */
  static FakeServer version0() {
    return new FakeServer(false);
  }

  boolean speaksVersion1() {
    return version1;
  }

  ServerAddress address() {
    return new ServerAddress("127.0.0.1", port);
  }

  /** Settings of a client that is not patient. */
  ClientSettings.Builder client() {
    return ClientSettings.builder(address()).backoffMs(1, 20).outageMs(10_000);
  }

  FakeServer topic(String name, int partitions) {
    UUID id = version1 ? UUID.randomUUID() : TopicInfo.NO_ID;
    topics.put(name, id);
    counts.put(name, 0);
    grow(name, partitions);
    return this;
  }

  /** Adds partitions to a topic. */
  void grow(String name, int partitions) {
    for (int i = partitions(name); i < partitions; i++) {
      PartitionId id = key(name, i);
      logs.put(id, new FakeLog(id));
    }
    counts.put(name, partitions);
  }

  int partitions(String topic) {
    return counts.getOrDefault(topic, 0);
  }

  FakeLog log(String topic, int partition) {
    FakeLog log = logs.get(key(topic, partition));
    if (log == null) {
      throw new AssertionError("no partition " + partition + " of " + topic);
    }
    return log;
  }

  @Nullable FakeLog find(UUID id, int partition) {
    return logs.get(new PartitionId(id, partition));
  }

  PartitionId key(String topic, int partition) {
    UUID id = topics.getOrDefault(topic, TopicInfo.NO_ID);
    // Without ids the name stands for one.
    return new PartitionId(version1 ? id : UUID.nameUUIDFromBytes(topic.getBytes()), partition);
  }

  /** The next requests of this API are handled so, one behaviour each. */
  FakeServer next(Api api, Behaviour... behaviours) {
    ArrayDeque<Behaviour> script = scripts.computeIfAbsent(api, key -> new ArrayDeque<>());
    synchronized (script) {
      script.addAll(List.of(behaviours));
    }
    return this;
  }

  /**
   * Polls, and drops what comes, until so many fetches were sent; a loaded machine takes a while.
   */
  void pollUntilFetched(Consumer consumer, int count) {
    while (received(Api.FETCH).size() < count) {
      consumer.poll(Duration.ofMillis(20));
    }
  }

  /** Waits until so many requests of an API have come. */
  void awaitReceived(Api api, int count) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + 20_000_000_000L;
    synchronized (arrivals) {
      while (received(api).size() < count) {
        if (System.nanoTime() > deadlineNanos) {
          throw new AssertionError(
              "%d requests of %s came, %d expected".formatted(received(api).size(), api, count));
        }
        arrivals.wait(100);
      }
    }
  }

  List<Request> received(Api api) {
    return received.stream().filter(request -> request.call().api() == api).toList();
  }

  /** Answers as a broker would. */
  void answer(Request request) throws IOException, InterruptedException {
    broker.answer(request);
  }

  /** Answers for a group. */
  void answerMember(Request request) throws IOException {
    coordinator.answer(request);
  }

  /** Appends what a produce brings, and leaves it to the caller when to answer. */
  Runnable append(Request request) {
    return broker.append(request);
  }

  /** Takes no more connections and ends those there are, as a killed process does. */
  void kill() throws IOException, InterruptedException {
    stopListening();
    dropConnections();
  }

  /** Takes no more connections; the port is free when this returns. */
  void stopListening() throws IOException, InterruptedException {
    listener.close();
    acceptor.join();
  }

  /** Listens again on the same port, with the same records. */
  void restart() {
    ServerSocket again = listen(port);
    listener = again;
    acceptor = Thread.ofVirtual().start(() -> accept(again));
  }

  void dropConnections() throws IOException {
    for (Socket connection : connections) {
      connection.close();
    }
    connections.clear();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
  }

  private static ServerSocket listen(int wanted) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), wanted));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket from) {
    try {
      while (true) {
        Socket connection = from.accept();
        connection.setTcpNoDelay(true);
        connections.add(connection);
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException e) {
      // Closed: the test is over or the server is being killed.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      DataInputStream in = new DataInputStream(connection.getInputStream());
      while (true) {
        byte[] frame = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(frame);
        handle(connection, ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN));
      }
    } catch (IOException | InterruptedException e) {
      // The client went away, or the script dropped it.
    }
  }

  private void handle(Socket connection, ByteBuffer frame)
      throws IOException, InterruptedException {
    int code = frame.get() & 0xff;
    int version = frame.get() & 0xff;
    int correlationId = frame.getInt();
    Api api = Api.of(code).orElseThrow();
    if (!version1 && (api == Api.HELLO || version > 0)) {
      send(connection, head(correlationId, ErrorCode.UNKNOWN_API));
      return;
    }
    Call<?, ?> call = Calls.of(api, version).orElseThrow();
    Request request =
        new Request(this, connection, call, correlationId, call.request().readAll(frame));
    synchronized (arrivals) {
      received.add(request);
      arrivals.notifyAll();
    }
    ArrayDeque<Behaviour> script = scripts.computeIfAbsent(api, key -> new ArrayDeque<>());
    Behaviour behaviour;
    synchronized (script) {
      behaviour = script.poll();
    }
    if (behaviour != null) {
      behaviour.on(request);
    } else {
      answer(request);
    }
  }

  static BufferSink head(int correlationId, ErrorCode error) {
    BufferSink out = new BufferSink(64);
    out.u32(0);
    Frames.responseHeader(correlationId, error, out);
    return out;
  }

  static void send(Socket connection, BufferSink out) throws IOException {
    out.patchU32(0, out.length() - Frames.LENGTH_BYTES);
    byte[] bytes = Bytes.of(out.toBuffer()).toArray();
    synchronized (connection) {
      OutputStream stream = connection.getOutputStream();
      stream.write(bytes);
      stream.flush();
    }
  }

  /** A request that came, and the ways to answer it. */
  record Request(
      FakeServer server, Socket connection, Call<?, ?> call, int correlationId, Object body) {

    <T> T as(Class<T> type) {
      return type.cast(body);
    }

    @SuppressWarnings("unchecked")
    <R> void reply(R response) throws IOException {
      BufferSink out = head(correlationId, ErrorCode.NONE);
      ((Call<?, R>) call).response().write(response, out);
      send(connection, out);
    }

    void refuse(ErrorCode error, String message) throws IOException {
      BufferSink out = head(correlationId, error);
      if (call.version() > 0) {
        Frames.Failure.CODEC.write(new Frames.Failure(message, Bytes.EMPTY), out);
      }
      send(connection, out);
    }

    void answer() throws IOException, InterruptedException {
      server.answer(this);
    }

    void drop() throws IOException {
      connection.close();
    }

    /** Waits until some of what the client sends behind this request has arrived. */
    void awaitMoreBytes() throws IOException, InterruptedException {
      long deadlineNanos = System.nanoTime() + 20_000_000_000L;
      while (connection.getInputStream().available() == 0) {
        if (System.nanoTime() > deadlineNanos) {
          throw new AssertionError("nothing came behind " + call.api());
        }
        Thread.sleep(1);
      }
    }
  }
}
