package io.minikafka.broker;

import java.time.Instant;
import java.util.List;

/**
 * The lag of some groups at one moment.
 *
 * @param groups by name
 * @param more the same look goes on in the next report, perhaps with the same group
 */
public record LagReport(Instant at, List<GroupLag> groups, boolean more) {}
