package io.minikafka.admin;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.OffsetGap;
import io.minikafka.admin.v1.Payload;
import io.minikafka.admin.v1.TailedHeader;
import io.minikafka.admin.v1.TailedRecord;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.minikafka.broker.Tail;
import io.minikafka.broker.TailItem;
import io.minikafka.broker.TailStart;
import io.minikafka.codec.Bytes;
import io.minikafka.record.Header;
import java.util.List;

/** Requests to look at records, and what there is to see, as messages. Stateless. */
final class TailMessages {
  private static final int DEFAULT_NEWEST = 10;
  private static final int DEFAULT_PAYLOAD_BYTES = 4096;
  private static final int MAX_PAYLOAD_BYTES = 64 << 10;

  /** So that one message stays below what clients take. */
  private static final int MAX_HEADERS = 100;

  private static final int MAX_HEADERS_BYTES = 1 << 20;

  /** A character of UTF-8 has at most one byte more than these. */
  private static final int CUT_CHARACTER_BYTES = 3;

  private TailMessages() {}

  /** What is asked for, refused if a number is out of its bounds. */
  static Result<Tail> tail(LogServiceTailRequest request) {
    Result<Integer> records = bounded("max_records", request.getMaxRecords(), Tail.MAX_RECORDS);
    Result<Integer> rate =
        bounded("max_records_per_second", request.getMaxRecordsPerSecond(), Tail.MAX_RATE);
    Result<Integer> bytes =
        bounded("max_payload_bytes", request.getMaxPayloadBytes(), MAX_PAYLOAD_BYTES);
    Result<Integer> newest = bounded("newest", request.getNewest(), Tail.MAX_RECORDS);
    for (Result<Integer> each : List.of(records, rate, bytes, newest)) {
      if (each instanceof Result.Refused<Integer>(Refusal refusal)) {
        return Result.refused(refusal);
      }
    }
    if (request.hasFromTime() && !Timestamps.isValid(request.getFromTime())) {
      return Result.refused(
          Refusal.invalid("from_time", "from_time must lie in the years 1 to 9999"));
    }
    TailStart start =
        switch (request.getStartCase()) {
          case FROM_OFFSET -> new TailStart.At(request.getFromOffset());
          case NEWEST -> new TailStart.Newest(request.getNewest());
          case FROM_TIME -> new TailStart.Since(Timestamps.toMillis(request.getFromTime()));
          case START_NOT_SET -> new TailStart.Newest(DEFAULT_NEWEST);
        };
    if (start instanceof TailStart.At(long offset) && offset < 0) {
      return Result.refused(
          Refusal.invalid("from_offset", "from_offset is %d, must be 0 or more".formatted(offset)));
    }
    return Result.done(
        new Tail(
            start,
            request.getFollow(),
            or(request.getMaxRecords(), Tail.MAX_RECORDS),
            or(request.getMaxRecordsPerSecond(), Tail.DEFAULT_RATE)));
  }

  /** Bytes of a key, a value or a header that are told. */
  static int payloadBytes(LogServiceTailRequest request) {
    return or(request.getMaxPayloadBytes(), DEFAULT_PAYLOAD_BYTES);
  }

  private static int or(int value, int instead) {
    return value == 0 ? instead : value;
  }

  private static Result<Integer> bounded(String field, int value, int max) {
    return value < 0 || value > max
        ? Result.refused(
            Refusal.invalid(field, "%s is %d, must be 0 to %d".formatted(field, value, max)))
        : Result.done(value);
  }

  static LogServiceTailResponse item(TailItem item, int maxBytes) {
    LogServiceTailResponse.Builder message = LogServiceTailResponse.newBuilder();
    switch (item) {
      case TailItem.Gap(long from, long to, boolean lost) ->
          message.setGap(OffsetGap.newBuilder().setFromOffset(from).setToOffset(to).setLost(lost));
      case TailItem.Record record -> message.setRecord(record(record, maxBytes));
    }
    return message.build();
  }

  private static TailedRecord record(TailItem.Record record, int maxBytes) {
    TailedRecord.Builder message =
        TailedRecord.newBuilder()
            .setOffset(record.offset())
            .setHeaderCount(record.headers().size());
    LogMessages.time(record.timestamp()).ifPresent(message::setTimestamp);
    record.appendTime().ifPresent(ms -> LogMessages.time(ms).ifPresent(message::setAppendTime));
    record.key().ifPresent(key -> message.setKey(payload(key, maxBytes)));
    record.value().ifPresent(value -> message.setValue(payload(value, maxBytes)));
    int bytes = 0;
    for (Header header : record.headers()) {
      TailedHeader told = header(header, maxBytes);
      bytes += told.getSerializedSize();
      if (message.getHeadersCount() == MAX_HEADERS || bytes > MAX_HEADERS_BYTES) {
        break;
      }
      message.addHeaders(told);
    }
    return message.build();
  }

  private static TailedHeader header(Header header, int maxBytes) {
    ByteString key = ByteString.copyFromUtf8(header.key());
    TailedHeader.Builder message =
        TailedHeader.newBuilder().setKey(wholeCharacters(key.substring(0, cut(key, maxBytes))));
    header.value().ifPresent(value -> message.setValue(payload(value, maxBytes)));
    return message.build();
  }

  private static int cut(ByteString bytes, int maxBytes) {
    return Math.min(bytes.size(), maxBytes);
  }

  private static Payload payload(Bytes bytes, int maxBytes) {
    int told = Math.min(bytes.length(), maxBytes);
    ByteString data = ByteString.copyFrom(bytes.buffer().slice(0, told));
    Payload.Builder message = Payload.newBuilder().setData(data).setSizeBytes(bytes.length());
    boolean whole = told == bytes.length();
    ByteString text = whole ? data : withoutCutCharacter(data);
    if (text.isValidUtf8()) {
      message.setText(text.toStringUtf8());
    }
    return message.build();
  }

  private static String wholeCharacters(ByteString cut) {
    return withoutCutCharacter(cut).toStringUtf8();
  }

  /** Without the front of a character whose rest was cut off. */
  private static ByteString withoutCutCharacter(ByteString data) {
    for (int less = 0; less <= Math.min(CUT_CHARACTER_BYTES, data.size()); less++) {
      ByteString shorter = data.substring(0, data.size() - less);
      if (shorter.isValidUtf8()) {
        return shorter;
      }
    }
    return data;
  }
}
