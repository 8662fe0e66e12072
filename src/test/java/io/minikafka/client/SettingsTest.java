package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final ClientSettings CLIENT = ClientSettings.of(new ServerAddress("h", 1));

  private static String refused(Runnable build) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, build::run).getMessage());
  }

  @Test
  void errorsNameSettingValueAndBounds() {
    assertEquals(
        "batchRecords 0 is outside 1 … 1000000",
        refused(() -> ProducerSettings.builder(CLIENT).batchRecords(0).build()));
    assertEquals(
        "fetchMinBytes 9 is outside 1 … 8",
        refused(() -> ConsumerSettings.builder(CLIENT).fetchMaxBytes(8).fetchMinBytes(9).build()));
    assertEquals(
        "maxBackoffMs 4 is outside 5 … 86400000",
        refused(() -> ClientSettings.builder(CLIENT.server()).backoffMs(5, 4).build()));
  }

  @Test
  void addressesAreReadWithAndWithoutBrackets() {
    assertEquals(new ServerAddress("h", 9092), ServerAddress.parse("h:9092"));
    assertEquals(new ServerAddress("::1", 9092), ServerAddress.parse("[::1]:9092"));
    assertEquals("[::1]:9092", ServerAddress.parse("[::1]:9092").toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "h", ":1", "h:", "h:x", "h:0", "h:65536", "::1:9092", "[::1]", "[]:1"})
  void whatIsNoAddressIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> ServerAddress.parse(text));
  }
}
