package io.minikafka.broker;

import io.minikafka.group.Rebalance;
import java.util.List;

/**
 * All there is to say about a group at one moment.
 *
 * @param members by id
 * @param rebalances the newest first
 */
public record GroupReport(
    GroupLag lag, List<MemberDescription> members, List<Rebalance> rebalances) {}
