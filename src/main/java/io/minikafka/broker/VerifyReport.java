package io.minikafka.broker;

import io.minikafka.partition.LogCheck.Finding;
import java.util.List;

/**
 * How far a verification has come, and what it found since the report before.
 *
 * @param topic that is being read, or was last
 * @param partition of it
 * @param checkedBytes of all partitions so far
 * @param totalBytes to be read in all, as far as is known by now
 * @param checkedPartitions that were read to their ends
 * @param partitions in all
 * @param findings in that partition
 */
public record VerifyReport(
    String topic,
    int partition,
    long checkedBytes,
    long totalBytes,
    int checkedPartitions,
    int partitions,
    List<Finding> findings) {
  public VerifyReport {
    findings = List.copyOf(findings);
  }
}
