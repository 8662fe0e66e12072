package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.minikafka.FreePorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpAddressTest {
  @TempDir Path dir;

  @Test
  void aTakenPortIsNamedAndNothingIsMade() throws Exception {
    Path data = dir.resolve("data");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertEquals(
          Optional.of(
              "the HTTP port 127.0.0.1:%d cannot be opened: Address already in use (--http-port and"
                      .formatted(port)
                  + " --host choose another)"),
          new HttpAddress("127.0.0.1", port).error(data));
    }
    assertFalse(Files.exists(data));
  }

  @Test
  void aFreePortCanStillBeOpenedAfterItWasLookedAt() throws Exception {
    int port = FreePorts.next();
    assertEquals(Optional.empty(), new HttpAddress("127.0.0.1", port).error(dir));
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 9092, 127.0.0.1, 9092, true",
    "0.0.0.0, 9092, 127.0.0.1, 9092, true",
    "127.0.0.1, 9092, ::, 9092, true",
    "127.0.0.1, 9092, 127.0.0.2, 9092, false",
    "0.0.0.0, 9092, ::1, 9092, false",
    "127.0.0.1, 8080, 127.0.0.1, 9092, false",
    "127.0.0.1, 0, 127.0.0.1, 0, false"
  })
  void onePortIsNotForBothWhereTheAddressesMeet(
      String host, int port, String dataHost, int dataPort, boolean clash) {
    BrokerSettings settings = TestSettings.of(dir, "host", dataHost, "port", "" + dataPort);
    assertEquals(clash, new HttpAddress(host, port).clash(settings).isPresent());
  }
}
