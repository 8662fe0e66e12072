package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The build runs the tests on the Java it promises, with assertions on. */
class BuildTest {
  @Test
  void testsRunOnJava25OrNewer() {
    assertTrue(Runtime.version().feature() >= 25, () -> "runs on " + Runtime.version());
  }

  @Test
  void assertionsAreOn() {
    assertTrue(BuildTest.class.desiredAssertionStatus());
  }
}
