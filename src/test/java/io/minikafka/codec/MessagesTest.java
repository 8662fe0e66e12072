package io.minikafka.codec;

import static io.minikafka.codec.Field.field;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** However many fields a message has, they are written and read in the order they stand. */
class MessagesTest {
  @Test
  void everyNumberOfFieldsKeepsItsOrder() {
    inOrder(1, Messages.of(List::of, f(0)));
    inOrder(2, Messages.of(List::of, f(0), f(1)));
    inOrder(3, Messages.of(List::of, f(0), f(1), f(2)));
    inOrder(4, Messages.of(List::of, f(0), f(1), f(2), f(3)));
    inOrder(5, Messages.of(List::of, f(0), f(1), f(2), f(3), f(4)));
    inOrder(6, Messages.of(List::of, f(0), f(1), f(2), f(3), f(4), f(5)));
    inOrder(7, Messages.of(List::of, f(0), f(1), f(2), f(3), f(4), f(5), f(6)));
    inOrder(8, Messages.of(List::of, f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)));
    inOrder(9, Messages.of(List::of, f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8)));
  }

  private static Field<List<Integer>, Integer> f(int index) {
    Function<List<Integer>, Integer> getter = values -> values.get(index);
    return field("f" + index, Codecs.U8, getter);
  }

  private static void inOrder(int count, Codec<List<Integer>> codec) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(10 + i);
    }
    ByteBuffer encoded = BufferSink.encode(codec, values);
    assertEquals(count, encoded.remaining());
    for (int i = 0; i < count; i++) {
      assertEquals(10 + i, encoded.get(i));
    }
    assertEquals(values, codec.readAll(encoded));
    assertEquals(count, codec.leastBytes());
  }
}
