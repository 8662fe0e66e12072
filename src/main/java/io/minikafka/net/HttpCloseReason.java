package io.minikafka.net;

/** Why the broker closes a connection of the HTTP port; the words metrics use. */
enum HttpCloseReason {
  /** All others were owed an answer. */
  CONNECTION_LIMIT("connection limit"),
  /** The next one was let in for it. */
  MADE_ROOM("made room"),
  REQUEST_TIMEOUT("request timeout"),
  IDLE("idle"),
  /** The other side does not take its answer. */
  SEND_TIMEOUT("send timeout");

  private final String text;

  HttpCloseReason(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  boolean isForWantOfRoom() {
    return this == CONNECTION_LIMIT || this == MADE_ROOM;
  }
}
