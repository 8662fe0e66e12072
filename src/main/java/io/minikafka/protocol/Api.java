package io.minikafka.protocol;

import java.util.Arrays;
import java.util.Optional;

/** The API table: number, name, and the versions this build serves. */
public enum Api {
  CREATE_TOPIC(1, 0, 1),
  METADATA(2, 0, 1),
  PRODUCE(3, 0, 1),
  FETCH(4, 0, 1),
  LIST_OFFSETS(5, 0, 1),
  OFFSET_COMMIT(6, 0, 1),
  OFFSET_FETCH(7, 0, 1),
  JOIN_GROUP(8, 0, 1),
  HEARTBEAT(9, 0, 1),
  LEAVE_GROUP(10, 0, 1),
  HELLO(11, 1, 1);

  private static final Api[] BY_CODE = new Api[256];

  static {
    Arrays.stream(values()).forEach(api -> BY_CODE[api.code] = api);
  }

  private final int code;
  private final int minVersion;
  private final int maxVersion;

  Api(int code, int minVersion, int maxVersion) {
    this.code = code;
    this.minVersion = minVersion;
    this.maxVersion = maxVersion;
  }

  /** The u8 on the wire. */
  public int code() {
    return code;
  }

  public int minVersion() {
    return minVersion;
  }

  public int maxVersion() {
    return maxVersion;
  }

  /** The API of that number, if this build serves it. */
  public static Optional<Api> of(int code) {
    return Optional.ofNullable(BY_CODE[code & 0xff]);
  }
}
