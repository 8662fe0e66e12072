package io.minikafka.ladder.example.log;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Each way to the time. */
public class ReadsClocks {
  LongSupplier byReference = System::currentTimeMillis;

  long nanos() {
    return System.nanoTime();
  }

  Instant instant() {
    return Instant.now();
  }

  InstantSource source() {
    return InstantSource.system();
  }

  Clock clock() {
    return Clock.systemUTC();
  }
}
