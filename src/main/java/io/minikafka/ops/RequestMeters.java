package io.minikafka.ops;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.Calls;
import io.minikafka.protocol.ErrorCode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Time and errors of requests, by API and version. Each meter is made when it first has something
 * to count: most brokers are asked in one version only, and a histogram is twenty series. Any
 * thread; {@link #answered} allocates nothing after that.
 */
final class RequestMeters {
  /** By API and version; never changes. */
  private final Map<String, @Nullable OneCall[]> calls = new HashMap<>();

  RequestMeters(Meters meters) {
    for (Call<?, ?> call : Calls.ALL) {
      OneCall[] versions =
          calls.computeIfAbsent(call.api().name(), api -> new OneCall[call.api().maxVersion() + 1]);
      versions[call.version()] = new OneCall(meters, call.api().name(), call.version());
    }
  }

  /** A request that is in no table is not counted: nobody answered it. */
  void answered(String api, int version, int error, long nanos) {
    @Nullable OneCall[] versions = calls.get(api);
    OneCall call = versions == null || version >= versions.length ? null : versions[version];
    if (call != null) {
      call.answered(error, nanos);
    }
  }

  private static final class OneCall {
    private final Meters meters;
    private final String api;
    private final String version;
    private volatile @Nullable Timer time;

    /** By code; null for those that never happened. */
    private final AtomicReferenceArray<@Nullable Counter> errors =
        new AtomicReferenceArray<>(ErrorCode.values().length);

    OneCall(Meters meters, String api, int version) {
      this.meters = meters;
      this.api = label(api);
      this.version = String.valueOf(version);
    }

    void answered(int error, long nanos) {
      Timer timer = time;
      if (timer == null) {
        // Registering the same once more gives the same timer.
        timer = meters.timer(MeterNames.REQUEST, api, version);
        time = timer;
      }
      timer.record(nanos, NANOSECONDS);
      if (error != 0) {
        count(ErrorCode.of(error));
      }
    }

    private void count(ErrorCode error) {
      Counter counter = errors.get(error.code());
      if (counter == null) {
        // Registering the same once more gives the same counter.
        counter = meters.counter(MeterNames.REQUEST_ERRORS, api, version, label(error.name()));
        errors.set(error.code(), counter);
      }
      counter.increment();
    }

    private static String label(String name) {
      return name.toLowerCase(Locale.ROOT);
    }
  }
}
