package io.minikafka.group;

import java.util.List;

/**
 * What is to be done about an event.
 *
 * @param records to be appended in this order, as one batch or within one; already applied
 * @param answers to be let out when everything appended so far is durable
 * @param news to be published then, too: what happened, for logs, metrics and the grant log
 * @param nextDeadlineMs when a {@link GroupEvent.Tick} is due at the latest, on the clock of {@code
 *     nowMs}; {@link Long#MAX_VALUE} for never. It may turn out that nothing is to be done then
 */
public record Step(
    List<GroupRecord> records, List<Answer> answers, List<GroupNews> news, long nextDeadlineMs) {}
