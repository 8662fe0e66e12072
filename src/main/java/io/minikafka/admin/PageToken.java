package io.minikafka.admin;

import io.minikafka.topic.Outcome;
import io.minikafka.topic.TopicError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * Where the next page of a list begins, as text that a client hands back: a checksum and the last
 * name of the page before, in base64. The checksum tells what we gave from what somebody made up or
 * cut off. Stateless; any thread.
 */
final class PageToken {
  private static final int CRC_BYTES = 4;

  private PageToken() {}

  /**
   * @param name the last one given; empty if none follows, and so is the token
   */
  static String after(String name) {
    if (name.isEmpty()) {
      return "";
    }
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] token = ByteBuffer.allocate(CRC_BYTES + text.length).putInt(crc(text)).put(text).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /** The name after which to go on; empty for the beginning; refused if no list gave the token. */
  static Outcome<String> name(String token) {
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

  private static Outcome<String> refused() {
    return Outcome.refused(foreign());
  }

  /** Why a token is refused that the list at hand did not give. */
  static TopicError foreign() {
    return TopicError.invalid(
        "page_token",
        "page_token is none that List gave; pass next_page_token on as it is, or leave it out"
            + " for the first page");
  }

  private static int crc(byte[] text) {
    CRC32C crc = new CRC32C();
    crc.update(text);
    return (int) crc.getValue();
  }
}
