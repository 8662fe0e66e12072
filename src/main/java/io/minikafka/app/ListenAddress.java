package io.minikafka.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Whether the name the ports are to be opened on has an address. Looked at before they are: what
 * opens them says that it could not, and not of which name.
 *
 * <p>Stateless; any thread. A name is looked up, which may take as long as the system takes for it;
 * a number is not.
 */
public final class ListenAddress {
  private ListenAddress() {}

  /** What is wrong with {@code minikafka.host}, naming it; empty if it has an address. */
  public static Optional<String> error(BrokerSettings settings) {
    try {
      InetAddress.getByName(settings.host());
      return Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.of(
          "minikafka.host is \"%s\", which is no address and no name of one that is known here"
              .formatted(settings.host()));
    }
  }
}
