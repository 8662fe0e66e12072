package io.minikafka.broker;

import io.minikafka.record.Header;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A record that an operator wants appended.
 *
 * @param key empty for null
 * @param value empty for null
 * @param timestamp ms; empty for now
 */
public record NewRecord(
    Optional<byte[]> key, Optional<byte[]> value, List<Header> headers, OptionalLong timestamp) {}
