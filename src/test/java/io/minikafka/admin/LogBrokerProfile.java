package io.minikafka.admin;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Set;

/** The services with {@link LogBroker} in the place of the real one. */
public final class LogBrokerProfile implements QuarkusTestProfile {
  @Override
  public Set<Class<?>> getEnabledAlternatives() {
    return Set.of(LogBroker.class);
  }
}
