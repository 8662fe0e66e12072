package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.TopicPartition;
import io.minikafka.group.GrantedPartition;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupResult;
import io.minikafka.protocol.Heartbeat;
import io.minikafka.protocol.JoinGroup;
import io.minikafka.protocol.JoinGroup.Granted;
import io.minikafka.protocol.LeaveGroup;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * APIs 8, 9 and 10: who is a member of a group and what it owns. Any thread; never blocks. The
 * rules are the coordinator's; here they are only put into words of the protocol.
 */
final class MembershipHandler {
  void joinVersion0(
      Caller caller,
      JoinGroup.RequestV0 request,
      Session session,
      Consumer<Reply<JoinGroup.ResponseV0>> done) {
    ask(
        session,
        ticket ->
            GroupEvent.Join.version0(
                ticket,
                caller.connection(),
                request.group(),
                request.member(),
                Integer.toUnsignedLong(request.sessionMs()),
                request.topics()),
        done,
        result -> {
          GroupResult.Joined joined = (GroupResult.Joined) result;
          session.speaksFor(request.group(), joined.member());
          return Reply.answer(
              new JoinGroup.ResponseV0(
                  joined.member(),
                  (int) joined.generation(),
                  joined.partitions().stream()
                      .map(one -> new TopicPartition(one.topic(), one.partition().partition()))
                      .toList()));
        });
  }

  void join(
      Caller caller,
      JoinGroup.Request request,
      Session session,
      Consumer<Reply<JoinGroup.Response>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.Join(
                ticket,
                caller.connection(),
                1,
                request.group(),
                request.member(),
                request.instance(),
                Integer.toUnsignedLong(request.sessionMs()),
                Integer.toUnsignedLong(request.rebalanceMs()),
                request.assignor(),
                request.topics()),
        done,
        result -> {
          GroupResult.Joined joined = (GroupResult.Joined) result;
          session.speaksFor(request.group(), joined.member());
          return Reply.answer(
              new JoinGroup.Response(
                  joined.generation(),
                  joined.assignment(),
                  joined.pending(),
                  joined.maxHeartbeatWaitMs(),
                  granted(joined.partitions())));
        });
  }

  void heartbeatVersion0(
      Caller caller,
      Heartbeat.RequestV0 request,
      Session session,
      Consumer<Reply<Heartbeat.ResponseV0>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.Heartbeat0(
                ticket,
                caller.connection(),
                request.group(),
                request.member(),
                request.generation()),
        done,
        result -> {
          session.speaksFor(request.group(), request.member());
          return Reply.answer(new Heartbeat.ResponseV0());
        });
  }

  void heartbeat(
      Caller caller,
      Heartbeat.Request request,
      Session session,
      Consumer<Reply<Heartbeat.Response>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.Heartbeat(
                ticket,
                caller.connection(),
                request.group(),
                request.member(),
                request.assignment(),
                Integer.toUnsignedLong(request.maxWaitMs()),
                request.owned()),
        done,
        result -> {
          GroupResult.Current current = (GroupResult.Current) result;
          session.speaksFor(request.group(), request.member());
          return Reply.answer(
              new Heartbeat.Response(
                  current.generation(),
                  current.assignment(),
                  current.pending(),
                  granted(current.partitions())));
        });
  }

  void leaveVersion0(
      Caller caller,
      LeaveGroup.RequestV0 request,
      Session session,
      Consumer<Reply<LeaveGroup.ResponseV0>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.Leave(
                ticket, caller.connection(), request.group(), request.member(), false),
        done,
        result -> left(session, new LeaveGroup.ResponseV0()));
  }

  void leave(
      Caller caller,
      LeaveGroup.Request request,
      Session session,
      Consumer<Reply<LeaveGroup.Response>> done) {
    ask(
        session,
        ticket ->
            new GroupEvent.Leave(
                ticket, caller.connection(), request.group(), request.member(), request.keepSeat()),
        done,
        result -> left(session, new LeaveGroup.Response()));
  }

  private static <R> Reply<R> left(Session session, R response) {
    session.speaksForNobody();
    return Reply.answer(response);
  }

  private <R> void ask(
      Session session,
      LongFunction<GroupEvent> event,
      Consumer<Reply<R>> done,
      Function<GroupResult, Reply<R>> reply) {
    session.ask(event, new GroupCall<>(session, done, reply));
  }

  private static List<Granted> granted(List<GrantedPartition> partitions) {
    return partitions.stream()
        .map(
            one -> new Granted(one.partition().topicId(), one.partition().partition(), one.grant()))
        .toList();
  }
}
