package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HighWatermarkTest {
  private final List<String> risen = new ArrayList<>();
  private final HighWatermark mark = new HighWatermark(5, () -> risen.add("up"));

  @Test
  void itTellsOnceForEachRise() {
    mark.raiseTo(7, 0);
    mark.raiseTo(9, 0);
    assertEquals(9, mark.get());
    assertEquals(List.of("up", "up"), risen);
  }

  @Test
  void itNeverFallsAndStaysSilentThen() {
    mark.raiseTo(5, 0);
    mark.raiseTo(3, 0);
    assertEquals(5, mark.get());
    assertEquals(List.of(), risen);
  }

  @Test
  void itFallsByACutAndTellsThoseWhoWaitBeyondIt() {
    mark.cutTo(3);
    assertEquals(3, mark.get());
    assertEquals(List.of("up"), risen);
  }

  @Test
  void whatWasSeenBeforeACutDoesNotRaiseIt() {
    long before = mark.cuts();
    mark.cutTo(3);
    mark.raiseTo(5, before);
    assertEquals(3, mark.get());
    mark.raiseTo(4, mark.cuts());
    assertEquals(4, mark.get());
  }
}
