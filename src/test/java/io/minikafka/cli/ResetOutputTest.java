package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.admin.v1.PartitionReset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResetOutputTest {
  private static final PartitionReset THERE =
      PartitionReset.newBuilder().setTopic("t").setOldOffset(7).setNewOffset(7).build();
  private static final PartitionReset NOT_COMMITTED =
      PartitionReset.newBuilder().setTopic("t").addWarnings("nothing is committed").build();
  private static final PartitionReset LEFT =
      THERE.toBuilder().addWarnings("group other has committed nothing here").build();

  @Test
  void aGroupIsSaidToBeThereAlreadyOnlyIfAllOfItIs() {
    assertEquals(": group g was there already", why(THERE, THERE));
    assertEquals("", why(THERE, NOT_COMMITTED));
    assertEquals("", why(THERE, LEFT));
  }

  @Test
  void aGroupWithoutCommitsIsNotSaidToBeThere() {
    assertEquals(": group g has committed nothing there", why(NOT_COMMITTED, NOT_COMMITTED));
  }

  private static String why(PartitionReset... resets) {
    return ResetOutput.whyNothing("g", List.of(resets));
  }
}
