package io.minikafka.cli;

import io.minikafka.client.MinikafkaException;
import io.minikafka.client.NotSentException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.record.Header;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends the lines of a file or of standard input, each a record. */
@Command(
    name = "produce",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Sends lines, each a record, and says when all are acknowledged.",
    footer = {
      "",
      "Without a key, records go to one partition until a batch is full, then to the next.",
      "A record has at most 16777216 bytes (16 MiB): its key, its value, its headers, and 12 bytes or"
          + " more that the format adds.",
      "If a record fails, or the command is interrupted, no more are read; the summary says how many"
          + " were acknowledged.",
      "",
      "Examples:",
      "  echo hello | minikafka produce greetings",
      "  minikafka produce access --file access.log --batch 1000",
      "  printf 'ada:1\\nbob:2\\n' | minikafka produce users --key-separator :",
      "  minikafka produce blobs --raw --file any.bin --partition 0",
      "  minikafka produce access --file access.log --output json"
    })
final class ProduceCommand implements Change {
  @Parameters(paramLabel = "TOPIC", description = "Where to; it must exist.")
  String topic = "";

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Read this file instead of standard input.")
  @Nullable Path file;

  @Option(names = "--key", paramLabel = "KEY", description = "The key of every record.")
  @Nullable String key;

  @Option(
      names = "--key-separator",
      paramLabel = "TEXT",
      description = "A line is key, TEXT, value. A line without TEXT is an error.")
  @Nullable String keySeparator;

  @Option(
      names = "--null-value",
      paramLabel = "TEXT",
      description = "A value that is TEXT is sent as null: a tombstone.")
  @Nullable String nullValue;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "A header of every record; may be repeated.")
  List<String> headers = new ArrayList<>();

  @Option(
      names = "--partition",
      paramLabel = "N",
      converter = WholeNumber.Partition.class,
      description = "The partition of every record.")
  @Nullable Integer partition;

  @Option(
      names = "--batch",
      paramLabel = "RECORDS",
      defaultValue = "10000",
      converter = WholeNumber.BatchRecords.class,
      description = "Most records in a batch, 1 to 1000000 (10000); 128 KiB fill one too.")
  int batch;

  @Option(
      names = "--linger-ms",
      paramLabel = "MS",
      defaultValue = "0",
      converter = WholeNumber.LingerMs.class,
      description = "How long a batch waits for more records, 0 to 86400000 (0).")
  int lingerMs;

  @Option(
      names = "--durability",
      paramLabel = "topic|written|flushed",
      defaultValue = "topic",
      description =
          "What an acknowledgement must promise: the topic's flush policy, in the page cache, or on"
              + " stable storage (topic).")
  WantedDurability durability = WantedDurability.TOPIC;

  @Option(
      names = "--raw",
      description =
          "Keep the line feeds in the values, so that consume --raw gives the same bytes again.")
  boolean raw;

  @Mixin OutputOption output;
  @Mixin BrokerOption broker;
  @Spec CommandSpec spec;

  private final ProduceOutcome outcome = new ProduceOutcome();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ProducerSettings settings = settings();
    LineRecords records =
        new LineRecords(
            topic,
            partition,
            key,
            keySeparator,
            nullValue,
            headers.stream().map(this::header).toList());
    Progress progress = new Progress(spec.commandLine().getErr(), "produced");
    try (InputStream in = open();
        Producer producer = Producer.open(settings)) {
      // An unknown topic is told before the first line is read.
      checkPartition(producer.partitionCount(topic));
      LineSource lines = new LineSource(in, raw, records.maxLineBytes());
      try (ProduceEnd end = new ProduceEnd(producer, () -> interrupted(progress))) {
        send(lines, records, producer, end, progress);
      }
    }
    MinikafkaException failure = outcome.failure();
    if (failure != null) {
      throw failure;
    }
    return 0;
  }

  private void send(
      LineSource lines, LineRecords records, Producer producer, ProduceEnd end, Progress progress)
      throws IOException, InterruptedException {
    try {
      for (byte @Nullable [] line = lines.next(); line != null; line = lines.next()) {
        if (outcome.failure() != null) {
          break;
        }
        ProducerRecord record = records.of(line, lines.lines());
        producer.send(record, outcome.of(record.value().map(value -> value.length).orElse(0)));
        outcome.show(progress);
      }
    } finally {
      producer.flush();
      end.take();
      summary(progress);
    }
  }

  private void summary(Progress progress) {
    progress.end();
    if (output.isJson()) {
      try {
        Json.line(System.out, json -> outcome.json(json, topic));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      System.out.flush();
    } else {
      spec.commandLine().getErr().println(outcome.summary(progress));
    }
  }

  /** What is given up by that is told by the summary alone. */
  private void interrupted(Progress progress) {
    summary(progress);
    MinikafkaException failure = outcome.failure();
    if (failure != null && !(failure instanceof NotSentException)) {
      Failures.failed(failure, spec.commandLine(), output.isJson());
    }
  }

  private ProducerSettings settings() {
    return ProducerSettings.builder(broker.settings())
        .batchRecords(batch)
        .lingerMs(lingerMs)
        .durability(durability.ofClient())
        .build();
  }

  private void checkPartition(int count) throws IOException {
    if (partition != null && partition >= count) {
      throw new IOException(
          "--partition is %d, %s has 0 … %d".formatted(partition, topic, count - 1));
    }
  }

  private InputStream open() throws IOException {
    if (file == null || file.toString().equals("-")) {
      return System.in;
    }
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory");
    }
    return Files.newInputStream(file);
  }

  private Header header(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new ParameterException(
          spec.commandLine(), "--header is '%s', must be NAME=VALUE".formatted(text));
    }
    return Header.of(text.substring(0, equals), utf8(text.substring(equals + 1)));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
