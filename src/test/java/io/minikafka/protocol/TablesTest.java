package io.minikafka.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tables of APIs, calls and errors answer for every number a client can send. */
class TablesTest {
  @Test
  void everyApiIsFoundByItsCodeAndNothingElseIs() {
    for (int code = 0; code < 256; code++) {
      int wanted = code;
      assertEquals(
          IntStream.range(0, Api.values().length)
              .mapToObj(i -> Api.values()[i])
              .filter(api -> api.code() == wanted)
              .findFirst(),
          Api.of(code));
    }
  }

  @Test
  void everyApiHasACallInExactlyItsVersions() {
    for (Api api : Api.values()) {
      for (int version = 0; version < 256; version++) {
        boolean served = version >= api.minVersion() && version <= api.maxVersion();
        Optional<Call<?, ?>> call = Calls.of(api, version);
        assertEquals(served, call.isPresent(), api + " v" + version);
        int wanted = version;
        call.ifPresent(
            found -> {
              assertEquals(api, found.api());
              assertEquals(wanted, found.version());
              assertEquals(api + " v" + wanted, found.toString());
            });
      }
    }
  }

  @Test
  void everyErrorIsFoundByItsCodeAndAnUnknownOneIsInternal() {
    for (ErrorCode error : ErrorCode.values()) {
      assertEquals(error, ErrorCode.of(error.code()));
    }
    assertEquals(ErrorCode.INTERNAL_ERROR, ErrorCode.of(28));
    assertEquals(ErrorCode.INTERNAL_ERROR, ErrorCode.of(-1));
    assertEquals(ErrorCode.INTERNAL_ERROR, ErrorCode.of(0xffff));
  }

  @Test
  void version0IsToldOnlyErrorsItKnows() {
    for (ErrorCode error : ErrorCode.values()) {
      ErrorCode told = error.forVersion0();
      assertEquals(true, told.code() <= ErrorCode.UNKNOWN_API.code(), error::toString);
      assertEquals(told, told.forVersion0());
      assertEquals(error == ErrorCode.NONE, told == ErrorCode.NONE);
    }
  }
}
