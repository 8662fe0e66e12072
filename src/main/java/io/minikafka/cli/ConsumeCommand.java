package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.ResetPolicy;
import io.minikafka.client.TopicDescription;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the records of topics, of all their partitions or as a member of a group. */
@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Prints the records of topics, each partition in order, and stops at the end.",
    footer = {
      "",
      "The end is where the topics ended when the command began; --follow goes on behind it.",
      "",
      "With --group several of these share the partitions, and what was printed is committed: the"
          + " next run goes on behind it, whether this one ended or was killed. It then ends when"
          + " the group has read everything up to the end; what other members have counts as far"
          + " as they have committed it. --from decides only where the group has committed nothing; where it then began is"
          + " committed, too.",
      "",
      "It ends with 1 before records that are damaged, and says how to go on; with --skip-damage it"
          + " says which are left out, and goes on.",
      "",
      "Examples:",
      "  minikafka consume greetings",
      "  minikafka consume access --from 1h30m --follow",
      "  minikafka consume access --from -10 --output json",
      "  minikafka consume users --format '%%p/%%o %%k=%%v\\n'",
      "  minikafka consume blobs --raw > any.bin",
      "  minikafka consume orders returns --group billing",
      "  minikafka consume --pattern 'log-.*' --group archive --follow"
    })
final class ConsumeCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(250);

  @Parameters(paramLabel = "TOPIC", arity = "0..*", description = "What to read; they must exist.")
  List<String> topics = new ArrayList<>();

  @Option(
      names = "--pattern",
      paramLabel = "REGEX",
      description = "Instead of topics: all whose whole names match; with --group.")
  @Nullable String pattern;

  @Mixin GroupOption group;

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      defaultValue = "beginning",
      converter = StartPoint.Converter.class,
      description = "Where to begin (beginning): " + StartPoint.LEGEND + ".")
  StartPoint from = new StartPoint.Beginning();

  @Option(
      names = "--partition",
      paramLabel = "N",
      split = ",",
      converter = WholeNumber.Partition.class,
      description = "Only these partitions; may be repeated.")
  List<Integer> partitions = new ArrayList<>();

  @Option(
      names = "--max",
      paramLabel = "N",
      converter = WholeNumber.Count.class,
      description = "Stop after so many records, 1 or more.")
  @Nullable Long max;

  @Option(names = "--follow", description = "Wait for more at the end.")
  boolean follow;

  @Option(
      names = "--skip-damage",
      description = "Go on behind records that are damaged; without it the command ends there.")
  boolean skipDamage;

  @Option(
      names = "--format",
      paramLabel = "TEMPLATE",
      description = "How to print a record ('%%v\\n'): " + RecordFormat.LEGEND + ".")
  @Nullable String format;

  @Option(names = "--raw", description = "Print the values and nothing else, not even line feeds.")
  boolean raw;

  @Mixin OutputOption output;
  @Mixin BrokerOption broker;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    RecordOutput out = new RecordOutput(new FileOutputStream(FileDescriptor.out));
    RecordPrinter printer = new RecordPrinter(layout(), out, max);
    Optional<GroupSettings> member = group.settings(spec);
    checkWhatToRead(member.isPresent());
    ClientSettings client = follow ? broker.patientSettings() : broker.settings();
    ConsumerSettings settings =
        ConsumerSettings.builder(client).reset(ResetPolicy.FAIL).losses(this::lost).build();
    try (Consumer consumer = Consumer.open(settings)) {
      if (member.isPresent()) {
        consume(consumer, member.get(), printer);
      } else {
        consume(consumer, printer);
      }
    }
    return 0;
  }

  private void lost(TopicPartition partition, long from, long to) {
    spec.commandLine()
        .getErr()
        .println(
            "%s: offsets %d to %d are lost: they were damaged, and a repair gave them up"
                .formatted(partition, from, to - 1));
  }

  private void checkWhatToRead(boolean inGroup) {
    if (topics.isEmpty() == (pattern == null)) {
      throw wrong("either topics or a --pattern must be given");
    }
    if (pattern != null && !inGroup) {
      throw wrong("--pattern needs a --group");
    }
    if (!partitions.isEmpty() && inGroup) {
      throw wrong("--partition and --group exclude each other: a group shares out the partitions");
    }
    if (!partitions.isEmpty() && topics.size() > 1) {
      throw wrong("--partition is for one topic");
    }
  }

  private void consume(Consumer consumer, RecordPrinter printer) throws IOException {
    List<TopicPartition> assigned = new ArrayList<>();
    for (String topic : topics) {
      assigned.addAll(assigned(topic, consumer.partitionCount(topic)));
    }
    // Taken before the first read, so that a busy topic cannot keep the command going.
    Ends ends = follow ? Ends.none() : Ends.of(consumer, assigned);
    if (from instanceof StartPoint.Offset(long offset)) {
      checkStart(offset, consumer, assigned);
    }
    consumer.assign(assigned);
    assigned.forEach(partition -> from.seek(consumer, partition));
    run(consumer, assigned, ends, printer);
  }

  private DamagePass damage() {
    return new DamagePass(skipDamage, group.group, spec.commandLine().getErr());
  }

  private void run(
      Consumer consumer, List<TopicPartition> assigned, Ends ends, RecordPrinter printer)
      throws IOException {
    DamagePass damage = damage();
    try {
      while (!isDone(consumer, assigned, ends, printer)) {
        for (ConsumerRecord record : damage.poll(consumer, POLL)) {
          if (!printer.isFull() && ends.wants(record)) {
            printer.print(record);
          }
        }
        printer.flush();
        printer.takeOut();
      }
    } catch (IOException e) {
      if (!RecordPrinter.isEndOfReader(e)) {
        throw e;
      }
    } catch (RuntimeException e) {
      // What was read before the failure is printed before it is told.
      printer.flush();
      throw e;
    }
  }

  private static boolean isDone(
      Consumer consumer, List<TopicPartition> assigned, Ends ends, RecordPrinter printer) {
    return printer.isFull()
        || assigned.stream()
            .allMatch(partition -> ends.isReached(partition, consumer.position(partition)));
  }

  private void consume(Consumer consumer, GroupSettings settings, RecordPrinter printer)
      throws IOException {
    Optional<Pattern> matching = compiled();
    Set<TopicPartition> known = new LinkedHashSet<>();
    for (String topic : matching.isPresent() ? matched(matching.get()) : topics) {
      known.addAll(assigned(topic, consumer.partitionCount(topic)));
    }
    Ends ends = follow ? Ends.none() : Ends.of(consumer, known);
    if (from instanceof StartPoint.Offset(long offset)) {
      checkStart(offset, consumer, uncommitted(settings.group(), known));
    }
    GroupConsume member =
        new GroupConsume(consumer, settings.group(), known, ends, from, damage(), printer, POLL);
    try (Interruption interruption = new Interruption(consumer)) {
      if (matching.isPresent()) {
        consumer.subscribe(matching.get(), settings, member);
      } else {
        consumer.subscribe(topics, settings, member);
      }
      member.run(interruption);
      // Here, so that an interrupted process waits for the goodbye.
      consumer.close();
    }
  }

  /** Of which --from decides where to begin. */
  private Set<TopicPartition> uncommitted(String name, Set<TopicPartition> known) {
    Set<TopicPartition> uncommitted = new LinkedHashSet<>(known);
    try (Admin admin = Admin.open(broker.settings())) {
      known.stream()
          .map(TopicPartition::topic)
          .distinct()
          .forEach(topic -> uncommitted.removeAll(admin.committedOffsets(name, topic).keySet()));
    }
    return uncommitted;
  }

  private Optional<Pattern> compiled() {
    try {
      return Optional.ofNullable(pattern).map(Pattern::compile);
    } catch (PatternSyntaxException e) {
      throw wrong("--pattern: " + e.getDescription() + " at index " + e.getIndex());
    }
  }

  private List<String> matched(Pattern regex) throws IOException {
    List<String> names;
    try (Admin admin = Admin.open(broker.settings())) {
      names =
          admin.topics().stream()
              .filter(topic -> !topic.internal())
              .map(TopicDescription::name)
              .filter(name -> regex.matcher(name).matches())
              .toList();
    }
    if (names.isEmpty() && !follow) {
      throw new IOException("no topic's name matches " + pattern);
    }
    return names;
  }

  private static void checkStart(
      long offset, Consumer consumer, Collection<TopicPartition> partitions) throws IOException {
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
    for (Map.Entry<TopicPartition, Long> end : consumer.endOffsets(partitions).entrySet()) {
      long start = starts.getOrDefault(end.getKey(), 0L);
      if (offset < start || offset > end.getValue()) {
        throw StartPoint.outside(offset, end.getKey(), start, end.getValue());
      }
    }
  }

  private List<TopicPartition> assigned(String topic, int count) throws IOException {
    List<TopicPartition> assigned = new ArrayList<>();
    if (partitions.isEmpty()) {
      for (int i = 0; i < count; i++) {
        assigned.add(new TopicPartition(topic, i));
      }
    }
    for (int number : partitions) {
      if (number >= count) {
        throw new IOException(
            "--partition is %d, %s has 0 … %d".formatted(number, topic, count - 1));
      }
      assigned.add(new TopicPartition(topic, number));
    }
    return assigned;
  }

  private RecordFormat layout() {
    if ((raw ? 1 : 0) + (format == null ? 0 : 1) + (output.isJson() ? 1 : 0) > 1) {
      throw wrong("--raw, --format and --output json exclude each other");
    }
    if (raw) {
      return RecordFormat.raw();
    }
    if (output.isJson()) {
      return RecordFormat.json();
    }
    try {
      return RecordFormat.of(format == null ? "%v\\n" : format);
    } catch (IllegalArgumentException e) {
      throw wrong("--format: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
