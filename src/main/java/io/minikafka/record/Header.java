package io.minikafka.record;

import io.minikafka.codec.Bytes;
import java.util.Optional;

/**
 * A header of a record.
 *
 * @param key any text, also empty; a key may occur more than once
 * @param value empty means null
 */
public record Header(String key, Optional<Bytes> value) {
  public static Header of(String key, byte[] value) {
    return new Header(key, Optional.of(Bytes.of(value)));
  }
}
