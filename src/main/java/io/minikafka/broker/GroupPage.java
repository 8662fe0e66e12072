package io.minikafka.broker;

import java.util.List;

/**
 * Some of the groups, by name.
 *
 * @param next what to ask with for those that follow; empty if there are none
 */
public record GroupPage(List<GroupLag> groups, String next) {}
