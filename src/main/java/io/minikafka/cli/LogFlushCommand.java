package io.minikafka.cli;

import io.minikafka.admin.v1.FlushedPartition;
import io.minikafka.admin.v1.LogServiceFlushRequest;
import io.minikafka.admin.v1.LogServiceFlushResponse;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "flush",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes what was appended durable, and waits for it.",
    footer = {
      "",
      "Exit status 1 if something cannot be made durable.",
      "",
      "Examples:",
      "  minikafka log flush access 0",
      "  minikafka log flush"
    })
final class LogFlushCommand implements Change {
  @Mixin PartitionsParameters of;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    LogServiceFlushRequest.Builder request =
        LogServiceFlushRequest.newBuilder().setTopic(of.topic());
    if (of.partition != null) {
      request.setPartition(of.partition);
    }
    LogServiceFlushResponse answer = admin.logs(stub -> stub.flush(request.build()));
    if (answer.getPartitionsCount() == 0 && !output.isJson()) {
      spec.commandLine().getOut().println("all was durable already");
    }
    int failed = 0;
    for (FlushedPartition flushed : answer.getPartitionsList()) {
      failed += flushed.getError().isEmpty() ? 0 : 1;
      print(flushed);
    }
    return failed == 0 ? 0 : 1;
  }

  private void print(FlushedPartition flushed) throws IOException {
    output.print(
        spec,
        json -> {
          json.writeStringField("topic", flushed.getTopic());
          json.writeNumberField("partition", flushed.getPartition());
          json.writeNumberField("durableOffset", flushed.getDurableOffset());
          if (!flushed.getError().isEmpty()) {
            json.writeStringField("error", flushed.getError());
          }
        },
        words(flushed));
  }

  private static String words(FlushedPartition flushed) {
    String name = flushed.getTopic() + "-" + flushed.getPartition();
    if (flushed.getDurableOffset() == 0) {
      return flushed.getError().isEmpty()
          ? name + " has no records, its next offset is 0"
          : "nothing of %s is durable: %s".formatted(name, flushed.getError());
    }
    return "%s is durable up to offset %d%s"
        .formatted(
            name,
            flushed.getDurableOffset() - 1,
            flushed.getError().isEmpty() ? "" : " and no further: " + flushed.getError());
  }
}
