package io.minikafka.admin;

import io.minikafka.topic.Outcome;
import io.minikafka.topic.TopicError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Where the next page of a list begins, as text that a client hands back: a checksum and the last
 * name of the page before, in base64. The checksum is of the list too, and so tells what this list
 * gave from what another gave, and from what somebody made up or cut off. Immutable; any thread.
 */
final class PageToken {
  private static final int CRC_BYTES = 4;

  /** No name holds it. */
  private static final char SEPARATOR = '\0';

  private final byte[] list;

  private PageToken(byte[] list) {
    this.list = list;
  }

  /**
   * @param call the service and its method
   * @param choice what else decides which list it is, apart from how much of it is wanted
   */
  static PageToken of(String call, Object... choice) {
    StringBuilder list = new StringBuilder(call).append(SEPARATOR);
    for (Object part : choice) {
      list.append(part).append(SEPARATOR);
    }
    return new PageToken(list.toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @param name the last one given; empty if none follows, and so is the token
   */
  String after(String name) {
    if (name.isEmpty()) {
      return "";
    }
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] token = ByteBuffer.allocate(CRC_BYTES + text.length).putInt(crc(text)).put(text).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /** Of a list whose names are numbers. */
  String after(OptionalLong number) {
    return number.isPresent() ? after(Long.toString(number.getAsLong())) : "";
  }

  /**
   * The name after which to go on; empty for the beginning; refused if the list did not give it.
   */
  Outcome<String> name(String token) {
    if (token.isEmpty()) {
      return Outcome.done("");
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      return refused();
    }
    if (bytes.length <= CRC_BYTES) {
      return refused();
    }
    byte[] text = Arrays.copyOfRange(bytes, CRC_BYTES, bytes.length);
    return ByteBuffer.wrap(bytes).getInt() == crc(text)
        ? Outcome.done(new String(text, StandardCharsets.UTF_8))
        : refused();
  }

  /** The number to go on from; 0 for the beginning. */
  Outcome<Long> number(String token) {
    return switch (name(token)) {
      case Outcome.Refused<String>(TopicError error) -> Outcome.refused(error);
      case Outcome.Done<String>(String number) when number.isEmpty() -> Outcome.done(0L);
      case Outcome.Done<String>(String number) -> {
        try {
          yield Outcome.done(Long.valueOf(number));
        } catch (NumberFormatException e) {
          yield refused();
        }
      }
    };
  }

  private static <T> Outcome<T> refused() {
    return Outcome.refused(
        TopicError.invalid(
            "page_token",
            "page_token is none that this list gave; pass next_page_token on as it is, with the same"
                + " choice of what is listed, or leave it out for the first page"));
  }

  private int crc(byte[] text) {
    CRC32C crc = new CRC32C();
    crc.update(list);
    crc.update(text);
    return (int) crc.getValue();
  }
}
