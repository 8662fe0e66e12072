/**
 * The rules of consumer groups, pure: who is a member, who owns which partition, whose commit
 * counts. Time and events come in, records and answers come out; no clock, thread, disk or socket.
 *
 * <p>Doors: {@link io.minikafka.group.Groups} (the state machine), {@link
 * io.minikafka.group.GroupEvent} (what can happen), {@link io.minikafka.group.Step} (what is to be
 * done about it), {@link io.minikafka.group.GroupResult} (what a request is answered), {@link
 * io.minikafka.group.GroupRecord} (what is written before it is answered) with {@link
 * io.minikafka.group.GroupRecordCodec}, {@link io.minikafka.group.GroupNews} (for logs, metrics and
 * tests), {@link io.minikafka.group.TopicsView}, {@link io.minikafka.group.GroupLimits}, and the
 * views {@link io.minikafka.group.GroupSummary}, {@link io.minikafka.group.GroupDescription} and
 * {@link io.minikafka.group.GroupsPart}, chosen by {@link io.minikafka.group.GroupChoice}.
 *
 * <p>Called by coordinator, one thread at a time; all values handed out are immutable. The rules in
 * words are in docs/GROUPS.md.
 */
@NullMarked
package io.minikafka.group;

import org.jspecify.annotations.NullMarked;
