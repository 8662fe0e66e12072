package io.minikafka.sim;

import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.Durability;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** What chance decides in a {@link World} besides the order of things. */
record Chances(Random random) {
  Durability anyDurability() {
    return switch (random.nextInt(5)) {
      case 0 -> Durability.WRITTEN;
      case 1 -> Durability.FLUSHED;
      default -> Durability.TOPIC;
    };
  }

  StoreSettings anySettings() {
    return new StoreSettings(
        1024 + random.nextInt(6000),
        random.nextInt(3) == 0 ? 500 + random.nextInt(20_000) : Long.MAX_VALUE,
        64 + random.nextInt(1000),
        random.nextInt(3) == 0 ? 1 + random.nextInt(20_000) : -1,
        random.nextInt(4) == 0 ? 1 + random.nextInt(50_000) : -1,
        switch (random.nextInt(5)) {
          case 0 -> FlushPolicy.NONE;
          case 1 -> FlushPolicy.INTERVAL;
          default -> FlushPolicy.COMMIT;
        },
        1 + random.nextInt(2000));
  }

  /** Settings of a topic that is compacted. */
  StoreSettings compacting() {
    return anySettings()
        .withCleanup(
            new Cleanup(
                random.nextInt(4) == 0 ? CleanupPolicy.COMPACT_DELETE : CleanupPolicy.COMPACT,
                random.nextInt(20_000),
                random.nextInt(3) == 0 ? 0.4 : 0,
                random.nextInt(4) == 0 ? random.nextInt(5_000) : 0));
  }

  /** Settings that may take the place of these. */
  StoreSettings insteadOf(StoreSettings settings) {
    return settings.cleanup().compacts() ? compacting() : anySettings();
  }

  /** Indexes are caches: whatever is in them, the log is believed. */
  void spoilIndexes(SimDisk disk) throws IOException {
    for (Path index : disk.filesEnding("index")) {
      byte[] content = disk.bytes(index);
      switch (random.nextInt(8)) {
        case 0 -> random.nextBytes(content);
        case 1 -> content = Arrays.copyOf(content, random.nextInt(content.length + 1));
        case 2 -> content = Arrays.copyOf(content, content.length + random.nextInt(60));
        case 3 -> {
          if (content.length > 0) {
            content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
          }
        }
        default -> {}
      }
      disk.replace(index, content);
    }
  }
}
