package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The broker that is measured.
 *
 * @param data its data port
 * @param http its HTTP port; empty: what it uses is not known, and topics stay
 * @param removal how a topic is deleted
 * @param own the process, if it was started for the run; empty: its memory and files are not known
 */
public record Target(
    ServerAddress data, Optional<ServerAddress> http, Removal removal, Optional<OwnBroker> own) {
  private static final int CONNECT_LIMIT_MS = 10_000;

  /** Deletes a topic; it is the control plane that can. */
  public interface Removal {
    void remove(ServerAddress http, String topic) throws IOException;
  }

  /** One that was started for the run. */
  public static Target of(OwnBroker own, Removal removal) {
    return new Target(own.data(), Optional.of(own.http()), removal, Optional.of(own));
  }

  /**
   * One that runs. Clients wait for a broker that is away; here it is asked for once.
   *
   * @throws IOException if nobody listens there, at once
   */
  public static Target running(ServerAddress data, Optional<ServerAddress> http, Removal removal)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(data.host(), data.port()), CONNECT_LIMIT_MS);
    } catch (IOException e) {
      String reason = e instanceof UnknownHostException ? "unknown host" : e.getMessage();
      throw new IOException(
          "cannot connect to %s: %s (is the broker running? --broker names another)"
              .formatted(data, reason),
          e);
    }
    return new Target(data, http, removal, Optional.empty());
  }

  Usage usage() throws IOException {
    return http.isPresent() ? Scrape.usage(http.get()) : Usage.unknown();
  }

  /** Of a series without labels; empty if it is not known. */
  OptionalDouble metric(String name) throws IOException {
    return http.isPresent() ? Scrape.metric(http.get(), name) : OptionalDouble.empty();
  }

  /** How long its threads have run; to ask for it disturbs it as little as can be. */
  OptionalDouble runNanos() throws IOException {
    Optional<LinuxProcess> known = process();
    OptionalDouble ran = known.isPresent() ? known.get().runNanos() : OptionalDouble.empty();
    return ran.isPresent() ? ran : usage().cpuNanos();
  }

  Optional<LinuxProcess> process() {
    return own.map(broker -> new LinuxProcess(broker.pid()));
  }

  Optional<Path> dataDirectory() {
    return own.map(OwnBroker::directory);
  }

  void remove(String topic) throws IOException {
    if (http.isPresent()) {
      removal.remove(http.get(), topic);
    }
  }
}
