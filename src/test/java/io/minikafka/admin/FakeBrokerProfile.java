package io.minikafka.admin;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Set;

/** The service with {@link FakeBroker} in the place of the real one. */
public final class FakeBrokerProfile implements QuarkusTestProfile {
  @Override
  public Set<Class<?>> getEnabledAlternatives() {
    return Set.of(FakeBroker.class);
  }
}
