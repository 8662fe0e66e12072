package io.minikafka.app;

import io.minikafka.storage.LocalDisk;
import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Where the HTTP port is to be opened. Looked at before the service boots: the framework opens it
 * beside recovery, and what is in its way would be told between the lines of a broker that starts.
 *
 * <p>Any thread; may block for as long as the system looks up a name.
 *
 * @param host name or number of an address
 * @param port 0 lets the system choose a free one
 */
public record HttpAddress(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** Where the framework will read it; empty if it is wrong, which the framework tells. */
  static Optional<HttpAddress> of(SmallRyeConfig config, BrokerSettings settings) {
    try {
      int port = config.getOptionalValue("quarkus.http.port", Integer.class).orElse(8080);
      return port >= 0 && port <= MAX_PORT
          ? Optional.of(
              new HttpAddress(
                  config
                      .getOptionalValue("quarkus.http.host", String.class)
                      .orElse(settings.host()),
                  port))
          : Optional.empty();
    } catch (IllegalArgumentException | NoSuchElementException e) {
      return Optional.empty();
    }
  }

  /** Why it cannot be opened besides the data port of these settings; empty if it can. */
  public Optional<String> clash(BrokerSettings settings) {
    if (port == 0 || port != settings.port() || !meet(host, settings.host())) {
      return Optional.empty();
    }
    return Optional.of(
        "the data port and the HTTP port are both %d (--port and --http-port choose others)"
            .formatted(port));
  }

  /** Why it cannot be opened now; empty if it can, or if that shows only when it is. */
  public Optional<String> error(Path dataDir) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(host, port));
      return Optional.empty();
    } catch (BindException e) {
      return Optional.of(refused(e, dataDir));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What an operator is told when it could not be opened, and what else is in the way. */
  public String refused(IOException why, Path dataDir) {
    // The transport puts the call and its error number before what happened.
    String message = String.valueOf(why.getMessage());
    return "the HTTP port %s:%d cannot be opened: %s (--http-port and --host choose another)%s"
        .formatted(
            host,
            port,
            message.substring(message.lastIndexOf(':') + 1).strip(),
            DataDirectory.alsoInUse(new LocalDisk(), dataDir));
  }

  /** Whether one port cannot be opened on both. */
  private static boolean meet(String one, String other) {
    try {
      InetAddress first = InetAddress.getByName(one);
      InetAddress second = InetAddress.getByName(other);
      return first.equals(second) || holds(first, second) || holds(second, first);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** {@code ::} is every address, {@code 0.0.0.0} every one of IPv4. */
  private static boolean holds(InetAddress all, InetAddress one) {
    return all.isAnyLocalAddress()
        && (all instanceof Inet6Address || !(one instanceof Inet6Address));
  }
}
