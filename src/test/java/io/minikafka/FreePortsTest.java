package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  private static final int MORE_THAN_TWO_BLOCKS = 250;

  @Test
  void noPortIsOneOfThoseTheKernelChoosesFrom() {
    Set<Integer> ports = take(new FreePorts(), MORE_THAN_TWO_BLOCKS);

    int least = FreePorts.leastOfTheKernel();
    assertTrue(ports.stream().allMatch(port -> port < least), () -> least + ": " + ports);
  }

  @Test
  void nobodyIsGivenAPortOfAnother() {
    FreePorts one = new FreePorts();
    FreePorts other = new FreePorts();

    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < MORE_THAN_TWO_BLOCKS; i++) {
      ports.add(one.take());
      ports.add(other.take());
    }

    assertEquals(2 * MORE_THAN_TWO_BLOCKS, ports.size());
  }

  @Test
  void aPortThatIsOpenIsPassedOver() throws IOException {
    FreePorts ports = new FreePorts();
    int next = ports.take() + 1;

    try (ServerSocket open = new ServerSocket(next, 1, InetAddress.getLoopbackAddress())) {
      assertTrue(open.isBound());
      assertFalse(take(ports, 10).contains(next));
    }
  }

  private static Set<Integer> take(FreePorts ports, int count) {
    return IntStream.range(0, count).mapToObj(i -> ports.take()).collect(Collectors.toSet());
  }
}
