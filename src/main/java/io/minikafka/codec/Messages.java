package io.minikafka.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Codecs of records: the constructor and one line per field, in wire order.
 *
 * <pre>{@code
 * Codec<Request> CODEC = Messages.of(Request::new,
 *     field("topic", STR, Request::topic),
 *     field("partitions", U32, Request::partitions));
 * }</pre>
 *
 * <p>The constructor's parameters must stand in the same order as the fields; the types make a slip
 * a compile error unless two neighbours have the same type.
 */
public final class Messages {
  private Messages() {}

  @FunctionalInterface
  private interface Reader<R> {
    R read(ByteBuffer in);
  }

  private static <R> Codec<R> codec(Reader<R> reader, List<Field<R, ?>> fields) {
    int leastBytes = fields.stream().mapToInt(field -> field.codec().leastBytes()).sum();
    return new Codec<>() {
      @Override
      public void write(R value, Sink out) {
        for (Field<R, ?> field : fields) {
          field.write(value, out);
        }
      }

      @Override
      public R read(ByteBuffer in) {
        return reader.read(in);
      }

      @Override
      public String layout() {
        return fields.stream().map(Field::layout).collect(Collectors.joining(", "));
      }

      @Override
      public int leastBytes() {
        return leastBytes;
      }
    };
  }

  /** A constructor of 1. */
  @FunctionalInterface
  public interface Of1<A, R> {
    R make(A a);
  }

  public static <A, R> Codec<R> of(Of1<A, R> constructor, Field<R, A> a) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(in -> constructor.make(a.read(in)), Arrays.asList(a));
  }

  /** A constructor of 2. */
  @FunctionalInterface
  public interface Of2<A, B, R> {
    R make(A a, B b);
  }

  public static <A, B, R> Codec<R> of(Of2<A, B, R> constructor, Field<R, A> a, Field<R, B> b) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(in -> constructor.make(a.read(in), b.read(in)), Arrays.asList(a, b));
  }

  /** A constructor of 3. */
  @FunctionalInterface
  public interface Of3<A, B, C, R> {
    R make(A a, B b, C c);
  }

  public static <A, B, C, R> Codec<R> of(
      Of3<A, B, C, R> constructor, Field<R, A> a, Field<R, B> b, Field<R, C> c) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in -> constructor.make(a.read(in), b.read(in), c.read(in)), Arrays.asList(a, b, c));
  }

  /** A constructor of 4. */
  @FunctionalInterface
  public interface Of4<A, B, C, D, R> {
    R make(A a, B b, C c, D d);
  }

  public static <A, B, C, D, R> Codec<R> of(
      Of4<A, B, C, D, R> constructor, Field<R, A> a, Field<R, B> b, Field<R, C> c, Field<R, D> d) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in -> constructor.make(a.read(in), b.read(in), c.read(in), d.read(in)),
        Arrays.asList(a, b, c, d));
  }

  /** A constructor of 5. */
  @FunctionalInterface
  public interface Of5<A, B, C, D, E, R> {
    R make(A a, B b, C c, D d, E e);
  }

  public static <A, B, C, D, E, R> Codec<R> of(
      Of5<A, B, C, D, E, R> constructor,
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in -> constructor.make(a.read(in), b.read(in), c.read(in), d.read(in), e.read(in)),
        Arrays.asList(a, b, c, d, e));
  }

  /** A constructor of 6. */
  @FunctionalInterface
  public interface Of6<A, B, C, D, E, F, R> {
    R make(A a, B b, C c, D d, E e, F f);
  }

  public static <A, B, C, D, E, F, R> Codec<R> of(
      Of6<A, B, C, D, E, F, R> constructor,
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e,
      Field<R, F> f) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in ->
            constructor.make(
                a.read(in), b.read(in), c.read(in), d.read(in), e.read(in), f.read(in)),
        Arrays.asList(a, b, c, d, e, f));
  }

  /** A constructor of 7. */
  @FunctionalInterface
  public interface Of7<A, B, C, D, E, F, G, R> {
    R make(A a, B b, C c, D d, E e, F f, G g);
  }

  public static <A, B, C, D, E, F, G, R> Codec<R> of(
      Of7<A, B, C, D, E, F, G, R> constructor,
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e,
      Field<R, F> f,
      Field<R, G> g) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in ->
            constructor.make(
                a.read(in), b.read(in), c.read(in), d.read(in), e.read(in), f.read(in), g.read(in)),
        Arrays.asList(a, b, c, d, e, f, g));
  }

  /** A constructor of 8. */
  @FunctionalInterface
  public interface Of8<A, B, C, D, E, F, G, H, R> {
    R make(A a, B b, C c, D d, E e, F f, G g, H h);
  }

  public static <A, B, C, D, E, F, G, H, R> Codec<R> of(
      Of8<A, B, C, D, E, F, G, H, R> constructor,
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e,
      Field<R, F> f,
      Field<R, G> g,
      Field<R, H> h) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in ->
            constructor.make(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in)),
        Arrays.asList(a, b, c, d, e, f, g, h));
  }

  /** A constructor of 9. */
  @FunctionalInterface
  public interface Of9<A, B, C, D, E, F, G, H, I, R> {
    R make(A a, B b, C c, D d, E e, F f, G g, H h, I i);
  }

  public static <A, B, C, D, E, F, G, H, I, R> Codec<R> of(
      Of9<A, B, C, D, E, F, G, H, I, R> constructor,
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e,
      Field<R, F> f,
      Field<R, G> g,
      Field<R, H> h,
      Field<R, I> i) {
    // Java evaluates arguments left to right, which is the order on the wire.
    return codec(
        in ->
            constructor.make(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in),
                i.read(in)),
        Arrays.asList(a, b, c, d, e, f, g, h, i));
  }
}
