package io.minikafka.codec;

import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * One field of a message: its name, its codec and how to get it from the record. Immutable.
 *
 * @param <R> the record
 * @param <T> the field's type
 */
public record Field<R, T>(String name, Codec<T> codec, Function<R, T> getter) {
  public static <R, T> Field<R, T> field(String name, Codec<T> codec, Function<R, T> getter) {
    return new Field<>(name, codec, getter);
  }

  void write(R record, Sink out) {
    codec.write(getter.apply(record), out);
  }

  T read(ByteBuffer in) {
    try {
      return codec.read(in);
    } catch (MalformedException e) {
      throw new MalformedException(name + ": " + e.getMessage());
    }
  }

  String layout() {
    return codec.layout() + " " + name;
  }
}
