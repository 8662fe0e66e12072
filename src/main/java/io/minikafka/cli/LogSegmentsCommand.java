package io.minikafka.cli;

import io.minikafka.admin.v1.LogServiceListSegmentsRequest;
import io.minikafka.admin.v1.LogServiceListSegmentsResponse;
import io.minikafka.admin.v1.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "segments",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lists the segments of a partition, oldest first.",
    footer = {"", "Examples:", "  minikafka log segments access 0"})
final class LogSegmentsCommand implements Callable<Integer> {
  @Mixin PartitionParameters of;

  @Mixin OutputOption output;
  @Mixin AdminOption admin;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Segment> segments = new ArrayList<>();
    String page = "";
    do {
      LogServiceListSegmentsRequest request =
          LogServiceListSegmentsRequest.newBuilder()
              .setTopic(of.topic)
              .setPartition(of.partition)
              .setPageSize(1_000)
              .setPageToken(page)
              .build();
      LogServiceListSegmentsResponse answer = admin.logs(stub -> stub.listSegments(request));
      segments.addAll(answer.getSegmentsList());
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    if (output.isJson()) {
      for (Segment segment : segments) {
        Json.line(
            System.out,
            json -> {
              json.writeStringField("topic", of.topic);
              json.writeNumberField("partition", of.partition);
              LogText.segment(json, segment);
            });
      }
    } else {
      print(segments);
    }
    return 0;
  }

  private void print(List<Segment> segments) {
    if (segments.isEmpty()) {
      spec.commandLine().getErr().println("there are no segments yet");
      return;
    }
    Table table = new Table("BASE", "NEXT", "SIZE", "NEWEST-RECORD", "LAST-APPEND", "STATE");
    for (Segment segment : segments) {
      table.row(
          segment.getBaseOffset(),
          segment.getNextOffset(),
          Sizes.inWords(segment.getSizeBytes()),
          segment.hasNewestTimestamp() ? LogText.time(segment.getNewestTimestamp()) : "-",
          segment.hasLastAppendTime() ? LogText.time(segment.getLastAppendTime()) : "-",
          state(segment));
    }
    table.print(spec.commandLine().getOut());
    segments.stream()
        .flatMap(segment -> segment.getDamageList().stream())
        .forEach(range -> spec.commandLine().getOut().println(LogText.damage(range)));
  }

  private static String state(Segment segment) {
    String state = segment.getActive() ? "active" : segment.getCompacted() ? "compacted" : "sealed";
    return segment.getDamageCount() == 0 ? state : state + ", damaged";
  }
}
