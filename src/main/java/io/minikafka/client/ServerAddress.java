package io.minikafka.client;

/**
 * Where a server listens.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port 1 … 65535
 */
public record ServerAddress(String host, int port) {
  public ServerAddress {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("host is empty");
    }
    if (port < 1 || port > 0xffff) {
      throw new IllegalArgumentException("port %d is outside 1 … 65535".formatted(port));
    }
  }

  /**
   * Reads {@code host:port}; an IPv6 address stands in brackets, as in {@code [::1]:9092}.
   *
   * @throws IllegalArgumentException if it is not that
   */
  public static ServerAddress parse(String text) {
    if (text.contains("://")) {
      throw new IllegalArgumentException(
          "'%s' is not host:port; leave the scheme out".formatted(text));
    }
    int colon = text.lastIndexOf(':');
    boolean bracketed = text.startsWith("[");
    int hostEnd = bracketed ? text.indexOf(']') : colon;
    if (colon < 1 || hostEnd < 1 || (bracketed && colon != hostEnd + 1)) {
      throw new IllegalArgumentException("'%s' is not host:port".formatted(text));
    }
    String host = text.substring(bracketed ? 1 : 0, hostEnd);
    if (!bracketed && host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "'%s': an IPv6 address stands in brackets, as in [::1]:9092".formatted(text));
    }
    String port = text.substring(colon + 1);
    if (!port.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("'%s' is not host:port".formatted(text));
    }
    return new ServerAddress(host, Integer.parseInt(port));
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
