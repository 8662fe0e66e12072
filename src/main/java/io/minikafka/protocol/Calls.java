package io.minikafka.protocol;

import java.util.List;
import java.util.Optional;

/** Every call this build knows. */
public final class Calls {
  public static final List<Call<?, ?>> ALL =
      List.of(
          CreateTopic.V0,
          CreateTopic.V1,
          Metadata.V0,
          Metadata.V1,
          Produce.V0,
          Produce.V1,
          Fetch.V0,
          Fetch.V1,
          ListOffsets.V0,
          ListOffsets.V1,
          OffsetCommit.V0,
          OffsetCommit.V1,
          OffsetFetch.V0,
          OffsetFetch.V1,
          JoinGroup.V0,
          JoinGroup.V1,
          Heartbeat.V0,
          Heartbeat.V1,
          LeaveGroup.V0,
          LeaveGroup.V1,
          Hello.V1);

  private static final Call<?, ?>[][] TABLE = new Call<?, ?>[256][2];

  static {
    ALL.forEach(call -> TABLE[call.api().code()][call.version()] = call);
  }

  private Calls() {}

  public static Optional<Call<?, ?>> of(Api api, int version) {
    Call<?, ?>[] versions = TABLE[api.code()];
    return version < versions.length ? Optional.ofNullable(versions[version]) : Optional.empty();
  }
}
