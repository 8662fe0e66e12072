package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import org.junit.jupiter.api.Test;

/** Answers keep to the bound of frames too. */
class SmallFramesTest extends DataPortHarness {
  @Override
  protected NetSettings settings() {
    return new NetSettings(
        "127.0.0.1", 0, 2, 100_000, 100, 0, 10_000, 10_000, 1 << 20, 4 << 20, 16 << 10, 0);
  }

  @Test
  void answersLongerThanAFrameAreRefused() throws Exception {
    create("t", 10_000);
    WireClient client = connect();
    Answer answer = client.ask(Wire.body().u32(0).frame(2, 1, 1));
    assertEquals(ErrorCode.LIMIT_REACHED.code(), answer.error());
    String said = answer.str();
    assertTrue(said.contains("the limit is 100000 (minikafka.net.max-frame-bytes)"), said);
    assertEquals(0, client.ask(Requests.hello(2)).error());
  }

  @Test
  void fetchedRecordsFillAFrameAndNoMore() throws Exception {
    var topic = create("t", 1);
    WireClient client = connect();
    byte[] record = Wire.record(0, 1234, "k", new byte[9_000]);
    for (int i = 0; i < 30; i++) {
      client.ask(Requests.produce0(1, "t", 0, record));
    }
    int one = client.send(Requests.fetch1(1, 0, 1, topic.id(), 0, 0)).readFrame().length;
    assertTrue(one > 90_000 && one <= 100_004, "bytes " + one);
    int zero = client.send(Requests.fetch0(1, 0, "t", 0, 0, 1 << 30)).readFrame().length;
    assertTrue(zero > 89_000 && zero <= 100_004, "bytes " + zero);
  }
}
