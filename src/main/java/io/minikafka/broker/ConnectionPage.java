package io.minikafka.broker;

import java.util.List;
import java.util.OptionalLong;

/**
 * Some connections by number.
 *
 * @param next ask for those after it to get the next page; empty if there is none
 */
public record ConnectionPage(List<ConnectionDescription> connections, OptionalLong next) {
  public ConnectionPage {
    connections = List.copyOf(connections);
  }
}
