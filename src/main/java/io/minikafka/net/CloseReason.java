package io.minikafka.net;

/** Why the broker closes a connection; the words metrics use. */
enum CloseReason {
  TOO_MANY_CONNECTIONS("connection limit"),
  FRAME_TOO_LONG("frame too long"),
  FRAME_TOO_SHORT("frame too short"),
  FRAME_TIMEOUT("frame timeout"),
  PAUSED("paused in a frame"),
  SLOW_SENDER("slow sender"),
  SLOW_READER("slow reader"),
  SEND_TIMEOUT("send timeout"),
  IDLE("idle"),
  NOT_ALLOWED("not allowed"),
  BY_OPERATOR("closed by operator"),
  STOPPING("stopping"),
  FAILED("failed");

  private final String text;

  CloseReason(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
