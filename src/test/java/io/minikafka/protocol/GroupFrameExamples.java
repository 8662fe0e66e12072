package io.minikafka.protocol;

import static io.minikafka.protocol.FrameExamples.request;
import static io.minikafka.protocol.FrameExamples.response;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.protocol.FrameExamples.Example;
import java.util.List;
import java.util.UUID;

/** The examples of what consumer groups say. */
final class GroupFrameExamples {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final String GROUP = "billing";
  private static final String MEMBER = "b0c1d2e3-f405-4617-8829-3a4b5c6d7e8f";
  private static final long COMMIT_TIME = 1_700_000_000_200L;

  static final List<Example<?>> ALL =
      List.of(
          request(
              OffsetCommit.V0, 12, new OffsetCommit.RequestV0(GROUP, "m-1", 5, "orders", 1, 1002)),
          response(OffsetCommit.V0, 12, new OffsetCommit.ResponseV0()),
          request(OffsetFetch.V0, 13, new OffsetFetch.RequestV0(GROUP, "orders", 1)),
          response(OffsetFetch.V0, 13, new OffsetFetch.ResponseV0(true, 1002)),
          request(JoinGroup.V0, 14, new JoinGroup.RequestV0(GROUP, "", 10_000, List.of("orders"))),
          response(
              JoinGroup.V0,
              14,
              new JoinGroup.ResponseV0(
                  "m-1",
                  5,
                  List.of(new TopicPartition("orders", 0), new TopicPartition("orders", 1)))),
          request(Heartbeat.V0, 15, new Heartbeat.RequestV0(GROUP, "m-1", 5)),
          response(Heartbeat.V0, 15, new Heartbeat.ResponseV0()),
          request(LeaveGroup.V0, 16, new LeaveGroup.RequestV0(GROUP, "m-1")),
          response(LeaveGroup.V0, 16, new LeaveGroup.ResponseV0()),
          request(
              OffsetCommit.V1,
              12,
              new OffsetCommit.Request(
                  GROUP,
                  MEMBER,
                  List.of(
                      new OffsetCommit.Partition(ID, 0, 4, 7, 0, ""),
                      new OffsetCommit.Partition(ID, 1, 5, 1002, 3, "at work")))),
          response(
              OffsetCommit.V1,
              12,
              new OffsetCommit.Response(
                  List.of(new OffsetCommit.Answer(ID, 0, 25), new OffsetCommit.Answer(ID, 1, 0)))),
          request(
              OffsetFetch.V1,
              13,
              new OffsetFetch.Request(
                  GROUP, List.of(new PartitionId(ID, 1), new PartitionId(ID, 2)))),
          response(
              OffsetFetch.V1,
              13,
              new OffsetFetch.Response(
                  List.of(
                      new OffsetFetch.Answer(ID, 1, true, 1002, 3, COMMIT_TIME, "at work"),
                      new OffsetFetch.Answer(ID, 2, false, 0, 0, 0, "")))),
          request(
              JoinGroup.V1,
              14,
              new JoinGroup.Request(
                  GROUP, MEMBER, "desk-7", 10_000, 60_000, "sticky", List.of("orders", "logs"))),
          response(
              JoinGroup.V1,
              14,
              new JoinGroup.Response(6, 1, true, 3333, List.of(new JoinGroup.Granted(ID, 1, 6)))),
          request(
              Heartbeat.V1,
              15,
              new Heartbeat.Request(GROUP, MEMBER, 1, 3333, List.of(new PartitionId(ID, 1)))),
          response(
              Heartbeat.V1,
              15,
              new Heartbeat.Response(
                  6,
                  2,
                  false,
                  List.of(new JoinGroup.Granted(ID, 1, 6), new JoinGroup.Granted(ID, 2, 7)))),
          request(LeaveGroup.V1, 16, new LeaveGroup.Request(GROUP, MEMBER, true)),
          response(LeaveGroup.V1, 16, new LeaveGroup.Response()));

  private GroupFrameExamples() {}
}
