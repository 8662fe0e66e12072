package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void oddNumberHasItsMiddle() {
    assertEquals(new Spread(3, 1, 9), Spread.of(9, 1, 3));
  }

  @Test
  void evenNumberHasTheMeanOfItsTwoMiddles() {
    assertEquals(new Spread(2.5, 1, 9), Spread.of(2, 9, 1, 3));
  }

  @Test
  void nothingHasNoMiddle() {
    assertThrows(IllegalArgumentException.class, Spread::of);
  }
}
