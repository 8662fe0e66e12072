package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.EngineObserver;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ObserversTest {
  /** A report that nobody passes on would be lost without a trace. */
  @Test
  void everyReportOfTheEngineIsPassedOn() {
    assertEquals(methods(EngineObserver.class), overriddenBy(Observers.class));
  }

  private static Set<String> overriddenBy(Class<?> type) {
    Set<String> reports = methods(EngineObserver.class);
    return methods(type).stream()
        .filter(reports::contains)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .map(ObserversTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }
}
