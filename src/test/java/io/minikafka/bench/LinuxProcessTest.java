package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LinuxProcessTest {
  private static final List<String> STATUS =
      List.of("Name:\tjava", "VmHWM:\t  307200 kB", "VmRSS:\t  204800 kB", "Threads:\t37");

  @Test
  void numberStandsBehindItsName() {
    assertEquals(OptionalDouble.of(204_800), LinuxProcess.number(STATUS, "VmRSS:"));
    assertEquals(OptionalDouble.of(37), LinuxProcess.number(STATUS, "Threads:"));
    assertEquals(OptionalDouble.empty(), LinuxProcess.number(STATUS, "VmSwap:"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void ownProcessIsKnown() {
    LinuxProcess self = new LinuxProcess(ProcessHandle.current().pid());
    double resident = self.residentBytes().orElseThrow();
    assertTrue(resident > 1 << 20, () -> resident + " bytes");
    assertTrue(self.peakResidentBytes().orElseThrow() > 1 << 20);
  }

  @Test
  void whatIsNoProcessHasNoFigures() {
    LinuxProcess nobody = new LinuxProcess(-1);
    assertEquals(OptionalDouble.empty(), nobody.residentBytes());
    assertEquals(OptionalDouble.empty(), nobody.diskReadBytes());
    assertEquals(OptionalDouble.empty(), nobody.runNanos());
  }
}
