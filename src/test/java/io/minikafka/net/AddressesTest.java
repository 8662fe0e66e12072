package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Every address of the machine, of both families. */
class AddressesTest extends DataPortHarness {
  @Override
  protected NetSettings settings() {
    return new NetSettings(
        "::", 0, 2, 1 << 20, 100, 0, 10_000, 10_000, 1 << 20, 4 << 20, 16 << 10, 0);
  }

  @Test
  void isReachedOverBothFamilies() throws Exception {
    for (String host : new String[] {"127.0.0.1", "::1"}) {
      try (WireClient client = new WireClient(host, port)) {
        assertEquals(0, client.ask(Requests.hello(1)).error(), host);
        InetAddress peer = client.socket().getInetAddress();
        assertEquals(InetAddress.getByName(host), peer);
      }
    }
  }
}
