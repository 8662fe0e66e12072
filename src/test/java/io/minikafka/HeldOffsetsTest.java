package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HeldOffsetsTest {
  @Test
  void bothEndsThatAreNamedAreThereAndTheNextIsSaidToBeThat() {
    assertEquals("offsets 5 to 79981 (the next is 79982)", HeldOffsets.inWords(5, 79_982));
    assertEquals("offsets 0 to 0 (the next is 1)", HeldOffsets.inWords(0, 1));
  }

  @Test
  void whereThereIsNothingNoOffsetIsSaidToBeThere() {
    assertEquals("no records (the next offset is 0)", HeldOffsets.inWords(0, 0));
    assertEquals("no records (the next offset is 7)", HeldOffsets.inWords(7, 7));
  }
}
