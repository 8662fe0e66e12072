package io.minikafka.net;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import java.util.Optional;

/**
 * Puts the bounds of the HTTP port before everything that decodes it: whoever serves HTTP counts a
 * connection only after its first bytes. Netty makes one of these, by the name in {@code
 * META-INF/services}, and asks it at every connection that any listener of the process accepts; the
 * data port, which has bounds of its own, takes its connections out again ({@link #spare}).
 *
 * <p>Does nothing before {@link #set}, which must come before anything listens.
 *
 * <p><b>Threads.</b> Any.
 */
public final class HttpBounds extends ChannelInitializerExtension {
  /** For the one that Netty makes; constant once the process listens. */
  private static volatile Optional<HttpConnections> connections = Optional.empty();

  /** From now on all connections but those of the data port are counted in {@code all}. */
  public static void set(HttpConnections all) {
    connections = Optional.of(all);
    System.setProperty(EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
  }

  @Override
  public void postInitializeServerChildChannel(Channel accepted) {
    connections.ifPresent(all -> bound(accepted, all));
  }

  static void bound(Channel accepted, HttpConnections all) {
    HttpConnection connection = new HttpConnection(all);
    accepted.pipeline().addFirst(connection);
    all.accepted(connection, accepted.parent());
  }

  /** Takes a connection out that has bounds of its own, before it counts. On its event loop. */
  static void spare(Channel accepted) {
    HttpConnection connection = accepted.pipeline().get(HttpConnection.class);
    if (connection != null) {
      connection.spare(accepted.pipeline());
    }
  }
}
