package io.minikafka.broker;

import io.minikafka.partition.SegmentDescription;
import java.util.List;
import java.util.OptionalLong;

/**
 * Some of the segments of a partition, oldest first.
 *
 * @param next what to ask from for those that follow; empty if there are none
 */
public record SegmentPage(List<SegmentDescription> segments, OptionalLong next) {}
