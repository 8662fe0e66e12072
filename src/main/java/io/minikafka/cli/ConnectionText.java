package io.minikafka.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Timestamp;
import io.minikafka.admin.v1.Connection;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What the commands about connections print. */
final class ConnectionText {
  private ConnectionText() {}

  static Table table(List<Connection> connections) {
    Table table =
        new Table(
            "ID",
            "CLIENT",
            "PEER",
            "SINCE",
            "VERSION",
            "REQUESTS",
            "RECEIVED",
            "SENT",
            "IN-FLIGHT",
            "PARKED",
            "MEMBER");
    for (Connection one : connections) {
      table.row(
          one.getId(),
          name(one),
          one.getPeer(),
          instant(one.getOpenedAt()),
          one.hasProtocolVersion() ? one.getProtocolVersion() : "-",
          one.getRequestCount(),
          Sizes.inWords(one.getReceivedBytes()),
          Sizes.inWords(one.getSentBytes()),
          one.getRequestsInFlight() + (one.getHeld() ? " (held)" : ""),
          one.getRequestsParked(),
          one.getGroup().isEmpty() ? "-" : one.getMemberId() + " of " + one.getGroup());
    }
    return table;
  }

  private static String instant(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos())
        .truncatedTo(ChronoUnit.MILLIS)
        .toString();
  }

  static String name(Connection connection) {
    return connection.getClientName().isEmpty() ? "-" : connection.getClientName();
  }

  static void json(JsonGenerator json, Connection connection) throws IOException {
    json.writeNumberField("id", connection.getId());
    json.writeStringField("clientName", connection.getClientName());
    json.writeStringField("peer", connection.getPeer());
    json.writeStringField("openedAt", instant(connection.getOpenedAt()));
    if (connection.hasProtocolVersion()) {
      json.writeNumberField("protocolVersion", connection.getProtocolVersion());
    }
    json.writeNumberField("requestCount", connection.getRequestCount());
    json.writeNumberField("receivedBytes", connection.getReceivedBytes());
    json.writeNumberField("sentBytes", connection.getSentBytes());
    json.writeNumberField("requestsInFlight", connection.getRequestsInFlight());
    json.writeNumberField("requestsParked", connection.getRequestsParked());
    json.writeBooleanField("held", connection.getHeld());
    if (!connection.getGroup().isEmpty()) {
      json.writeStringField("group", connection.getGroup());
      json.writeStringField("memberId", connection.getMemberId());
    }
  }
}
