package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.minikafka.app.SettingsReader.Outcome;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettingsReaderTest {
  private final Properties before = (Properties) System.getProperties().clone();

  @AfterEach
  void restoreProperties() {
    System.setProperties(before);
  }

  @Test
  void defaultsAreWithinTheirBounds() {
    assertInstanceOf(Outcome.Valid.class, SettingsReader.read());
  }

  @Test
  void systemPropertyReplacesADefault() {
    System.setProperty("minikafka.log.segment-bytes", "2048");
    System.setProperty("minikafka.data-dir", "/var/lib/x");
    System.setProperty("minikafka.log.flush-policy", "interval");
    BrokerSettings settings =
        assertInstanceOf(Outcome.Valid.class, SettingsReader.read()).settings();
    assertEquals(2048, settings.log().segmentBytes());
    assertEquals(Path.of("/var/lib/x"), settings.dataDir());
    assertEquals(FlushPolicy.INTERVAL, settings.log().flushPolicy());
  }

  @Test
  void topicsGetTheirDefaultsFromTheSettings() {
    System.setProperty("minikafka.log.segment-bytes", "2048");
    System.setProperty("minikafka.log.retention-ms", "77");
    BrokerSettings settings =
        assertInstanceOf(Outcome.Valid.class, SettingsReader.read()).settings();
    assertEquals(
        new PartitionSettings(
            new StoreSettings(2048, 604_800_000, 4096, -1, 77, FlushPolicy.COMMIT, 1000),
            33_554_432),
        TopicDefaults.of(settings.log()));
  }

  @Test
  void valueBelowItsBoundIsNamedWithTheBound() {
    assertEquals(
        List.of("minikafka.log.segment-bytes is 1023, must be 1024 to 1073741824 bytes"),
        refused("minikafka.log.segment-bytes", "1023"));
  }

  @Test
  void switchedOffIsAllowedAndItsNeighbourIsNot() {
    System.setProperty("minikafka.log.retention-ms", "-1");
    assertInstanceOf(Outcome.Valid.class, SettingsReader.read());
    assertEquals(
        List.of("minikafka.log.retention-ms is -2, must be -1 or at least 1 ms"),
        refused("minikafka.log.retention-ms", "-2"));
  }

  @Test
  void wordForANumberIsRefusedInOneLine() {
    assertEquals(
        List.of("minikafka.port is \"ninety\", must be a whole number"),
        refused("minikafka.port", "ninety"));
  }

  @Test
  void amountWithAUnitIsRefusedInOneLine() {
    assertEquals(
        List.of("minikafka.log.segment-ms is \"1d\", must be a whole number"),
        refused("minikafka.log.segment-ms", "1d"));
  }

  @Test
  void numberTooLargeForItsTypeIsRefusedWithItsBound() {
    assertEquals(
        List.of("minikafka.node-id is 99999999999, must be 0 to 2147483647"),
        refused("minikafka.node-id", "99999999999"));
  }

  @Test
  void everyNumberBeyondItsTypeIsToldItsBound() {
    for (SettingBounds.Row row : SettingBounds.ROWS) {
      for (String value : List.of("99999999999999999999", "-99999999999999999999")) {
        assertEquals(
            List.of("%s is %s, must be %s".formatted(row.name(), value, row.bounds())),
            refused(row.name(), value));
        System.clearProperty(row.name());
      }
    }
  }

  @Test
  void unknownFlushPolicyIsRefusedWithTheChoice() {
    assertEquals(
        List.of("minikafka.log.flush-policy is \"never\", must be one of commit, interval, none"),
        refused("minikafka.log.flush-policy", "never"));
  }

  @Test
  void misspeltSettingIsRefused() {
    assertEquals(
        List.of("minikafka.log.segmnt-bytes is no setting"),
        refused("minikafka.log.segmnt-bytes", "2048"));
  }

  @Test
  void emptyDataDirectoryIsRefused() {
    assertEquals(List.of("minikafka.data-dir is empty"), refused("minikafka.data-dir", ""));
  }

  @Test
  void expressionThatNamesNothingIsRefused() {
    assertEquals(
        List.of("Could not expand value nothing in property minikafka.host"),
        refused("minikafka.host", "${nothing}"));
  }

  @Test
  void batchThatFitsInNoFrameIsRefused() {
    System.setProperty("minikafka.net.max-frame-bytes", "1048576");
    assertEquals(
        List.of(
            "minikafka.log.max-message-bytes is 1048576, must be at most 1044480 bytes to fit in"
                + " minikafka.net.max-frame-bytes (1048576)"),
        refused("minikafka.log.max-message-bytes", "1048576"));
  }

  @Test
  void connectionMayNotHoldMoreThanAllConnections() {
    assertEquals(
        List.of(
            "minikafka.net.connection-in-flight-bytes is 268435457, must be at most"
                + " minikafka.net.total-in-flight-bytes (268435456)"),
        refused("minikafka.net.connection-in-flight-bytes", "268435457"));
  }

  @Test
  void everyProblemIsNamed() {
    System.setProperty("minikafka.storage.forcers", "0");
    assertEquals(
        List.of(
            "minikafka.port is 65536, must be 0 to 65535",
            "minikafka.storage.forcers is 0, must be 1 to 64"),
        refused("minikafka.port", "65536"));
  }

  @Test
  void whatIsNeitherTrueNorFalseIsRefused() {
    assertEquals(
        List.of(
            "minikafka.storage.accept-missing-catalog is \"maybe\", must be one of true, false"),
        refused("minikafka.storage.accept-missing-catalog", "maybe"));
  }

  private static List<String> refused(String name, String value) {
    System.setProperty(name, value);
    return assertInstanceOf(Outcome.Refused.class, SettingsReader.read()).problems();
  }
}
