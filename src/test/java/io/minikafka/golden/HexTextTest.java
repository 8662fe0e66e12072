package io.minikafka.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class HexTextTest {
  @Test
  void digitsAreBytesAndCommentsAreNot() {
    assertArrayEquals(
        new byte[] {0x0a, (byte) 0xff, 0x10},
        HexText.parse("# offset 0: ab\n0a ff  # cd\n\n# offset 2\n10\n"));
  }

  @Test
  void anOffsetThatLiesIsFound() {
    assertThrows(AssertionError.class, () -> HexText.parse("0a\n# offset 2\n0b"));
  }

  @Test
  void whatIsNoByteIsFound() {
    assertThrows(AssertionError.class, () -> HexText.parse("0a b"));
    assertThrows(AssertionError.class, () -> HexText.parse("0a 0b0c"));
  }

  @Test
  void blocksOfADocumentAreFoundByName() {
    String document = "a\n```hex one\n01\n```\nb\n```\n02\n```\n```hex two-2\n03 # c\n```\n";
    assertEquals(List.of("one", "two-2"), List.copyOf(HexText.blocks(document).keySet()));
    assertThrows(AssertionError.class, () -> HexText.blocks(document + "```hex one\n01\n```\n"));
  }
}
