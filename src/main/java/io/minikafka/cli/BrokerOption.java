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
      defaultValue = "10",
      converter = WholeNumber.Seconds.class,
      description = "How long to try to reach the broker, and to wait for an answer (10).")
  int timeoutSeconds = 10;

  ClientSettings settings() {
    return settings(timeoutMs());
  }

  /** Of a command that outlives the broker: it keeps trying to reach it. */
  ClientSettings patientSettings() {
    return settings(WholeNumber.MAX_TIMEOUT_S * 1000);
  }

  private int timeoutMs() {
    return timeoutSeconds * 1000;
  }

  private ClientSettings settings(int outageMs) {
    return ClientSettings.builder(address)
        .clientName("minikafka-cli")
        .connectTimeoutMs(timeoutMs())
        .requestTimeoutMs(timeoutMs())
        .outageMs(outageMs)
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
