package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.Caller;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupClientsTest {
  private final GroupClients clients = new GroupClients();

  private static Caller caller(long connection, String name) {
    return new Caller(connection, Caller.ANONYMOUS, name, "10.0.0.1");
  }

  @Test
  void memberOutlivesItsConnectionAndSoDoesWhatIsKnownOfIt() {
    Caller caller = caller(1, "billing");
    clients.heard(caller);
    assertEquals(Optional.of(caller), clients.on(1));
    clients.gone(caller);
    assertEquals(Optional.of(caller), clients.on(1));
    assertEquals(Optional.empty(), clients.on(2));
  }

  @Test
  void nameThatComesLaterIsTaken() {
    clients.heard(caller(1, ""));
    clients.heard(caller(1, "billing"));
    assertEquals("billing", clients.on(1).orElseThrow().clientName());
  }

  @Test
  void ofClosedConnectionsTheOldestAreForgotten() {
    for (int i = 1; i <= GroupClients.MAX_CLOSED + 2; i++) {
      clients.heard(caller(i, ""));
      clients.gone(caller(i, ""));
    }
    assertEquals(Optional.empty(), clients.on(2));
    assertEquals(3, clients.on(3).orElseThrow().connection());
  }
}
