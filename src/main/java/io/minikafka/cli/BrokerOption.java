package io.minikafka.cli;

import io.minikafka.client.ClientSettings;
import io.minikafka.client.ServerAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which broker a command talks to on the data port. */
final class BrokerOption {
  @Option(
      names = "--broker",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:MINIKAFKA_BROKER:-localhost:9092}",
      converter = Address.class,
      description = "The broker's data port ($MINIKAFKA_BROKER, else localhost:9092).")
  ServerAddress address = new ServerAddress("localhost", 9092);

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to try to reach the broker, and to wait for an answer (30).")
  int timeoutSeconds = 30;

  ClientSettings settings() {
    int timeoutMs = Math.multiplyExact(Math.clamp(timeoutSeconds, 1, 86_400), 1000);
    return ClientSettings.builder(address)
        .clientName("minikafka-cli")
        .requestTimeoutMs(timeoutMs)
        // A person at a terminal wants to know soon that nobody answers there.
        .outageMs(Math.min(timeoutMs, 3_000))
        .build();
  }

  static final class Address implements ITypeConverter<ServerAddress> {
    @Override
    public ServerAddress convert(String text) {
      try {
        return ServerAddress.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
