package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.append;
import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.sim.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A catalog that is gone, while what it named is not. */
class MissingCatalogTest {
  private static final Path CATALOG = SimBroker.DATA.resolve("meta/topics");

  private final FakeStores stores = new FakeStores();

  private static String refused(org.junit.jupiter.api.function.Executable start) {
    CompletionException failure = assertThrows(CompletionException.class, start);
    return String.valueOf(assertInstanceOf(IOException.class, failure.getCause()).getMessage());
  }

  private void writeARecordAndLoseTheCatalog() {
    Topics topics = started(stores);
    done(topics.create("t", 1, List.of(), false));
    append(topics.partition(new TopicPartition("t", 0)).orElseThrow());
    topics.close().join();
    stores.meta.lose("topics");
  }

  private Topics accepting() {
    return new Topics(
        stores,
        Fixtures.DEFAULTS,
        Fixtures.surroundings(Runnable::run),
        () -> new UUID(8, 1),
        new Topics.Start(1, /* acceptMissingCatalog= */ true),
        TopicListener.NONE);
  }

  @Test
  void startIsRefusedSayingWhatIsMissingAndWhatToDo() {
    writeARecordAndLoseTheCatalog();
    int starts = stores.known.size();

    String message = refused(() -> started(stores));

    assertEquals(
        "the topic catalog /data/topics is missing, and there are records of 1 topic. Put back a"
            + " copy of this file from a backup of the same data directory; or, to go on without"
            + " these topics, start once with -D minikafka.storage.accept-missing-catalog=true,"
            + " which moves their directories to set-aside",
        message);
    assertEquals(starts, stores.known.size(), "nothing was set aside");
  }

  @Test
  void startThatAcceptsItSetsAsideWhatIsThereAndTheNextNeedNot() {
    writeARecordAndLoseTheCatalog();

    Topics topics = accepting();
    topics.start().join();

    assertEquals(List.of(), topics.topics());
    assertEquals(Set.of(), stores.known.getLast());
    topics.close().join();
    started(stores);
  }

  @Test
  void newDataDirectoryNeedsNone() {
    started(stores).close().join();
    started(stores);
  }

  @Test
  void topicThatNeverHadARecordIsNotMissed() {
    Topics topics = started(stores);
    done(topics.create("t", 1, List.of(), false));
    topics.close().join();
    stores.meta.lose("topics");

    assertEquals(List.of(), started(stores).topics());
  }

  @Test
  void directoriesOfTopicsStayWhereTheyAre() throws IOException {
    SimDisk disk = new SimDisk(1);
    SimBroker broker = withARecord(disk);
    String directory = broker.topics.topic("t").orElseThrow().id().toString();
    disk.delete(CATALOG);

    refused(() -> SimBroker.start(disk, 2, 10_000));

    assertTrue(disk.isDirectory(SimBroker.DATA.resolve(directory)));
    assertFalse(disk.exists(SimBroker.DATA.resolve("set-aside")));
  }

  @Test
  void checkpointThatNamesPartitionsIsEnoughToMissIt() throws IOException {
    SimDisk disk = new SimDisk(1);
    SimBroker broker = withARecord(disk);
    String directory = broker.topics.topic("t").orElseThrow().id().toString();
    disk.delete(CATALOG);
    disk.rename(SimBroker.DATA.resolve(directory), SimBroker.DATA.resolve("elsewhere"));

    String message = refused(() -> SimBroker.start(disk, 2, 10_000));

    assertTrue(message.contains("/data/meta/topics is missing"), message);
  }

  private static SimBroker withARecord(SimDisk disk) throws IOException {
    SimBroker broker = SimBroker.start(disk, 1, 10_000);
    done(broker.await(broker.topics.create("t", 1, List.of(), false)));
    broker.append("t", 0);
    broker.stop();
    disk.processKill();
    return broker;
  }
}
