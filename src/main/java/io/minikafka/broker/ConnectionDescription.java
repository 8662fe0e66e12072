package io.minikafka.broker;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A connection of the data port at one moment.
 *
 * @param id as in {@link io.minikafka.Caller#connection}
 * @param clientName what the client calls itself; empty if it did not say
 * @param peer host:port
 * @param version of the protocol, of its last request; empty before the first
 * @param requests that came
 * @param sentBytes of answers, as far as the system has taken them
 * @param inFlight requests that are not answered
 * @param parked those of them that wait for records, or for their group
 * @param member for whom it last spoke
 * @param held nothing is read from it, because a bound is reached
 */
public record ConnectionDescription(
    long id,
    String clientName,
    String peer,
    Instant openedAt,
    OptionalInt version,
    long requests,
    long receivedBytes,
    long sentBytes,
    int inFlight,
    int parked,
    Optional<Member> member,
    boolean held) {
  /** A member of a group. */
  public record Member(String group, String id) {}
}
