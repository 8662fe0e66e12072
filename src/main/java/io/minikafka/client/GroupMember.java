package io.minikafka.client;

/**
 * What a consumer is in its group, for diagnostics.
 *
 * @param member this member's id; empty before the first join was answered by a version 0 server
 * @param instance the static member's name; empty if it is none
 * @param generation of the group, as far as this member has heard; 0 before it has joined
 * @param joined whether it is in the group with a session that lasts
 */
public record GroupMember(
    String group, String member, String instance, long generation, boolean joined) {}
