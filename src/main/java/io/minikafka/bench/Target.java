package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.util.Optional;

/**
 * The broker that is measured.
 *
 * @param data its data port
 * @param http its HTTP port; empty: what it uses is not known, and topics stay
 * @param removal how a topic is deleted
 */
public record Target(ServerAddress data, Optional<ServerAddress> http, Removal removal) {
  /** Deletes a topic; it is the control plane that can. */
  public interface Removal {
    void remove(ServerAddress http, String topic) throws IOException;
  }

  Usage usage() throws IOException {
    return http.isPresent() ? Scrape.usage(http.get()) : Usage.unknown();
  }

  void remove(String topic) throws IOException {
    if (http.isPresent()) {
      removal.remove(http.get(), topic);
    }
  }
}
