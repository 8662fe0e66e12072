package io.minikafka.codec;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The building blocks of messages. Everything that reads checks bounds first and throws {@link
 * MalformedException}; nothing is allocated on the word of a length that has not been compared with
 * the bytes that are there.
 */
public final class Codecs {
  /** Of a count or a length. */
  private static final int LENGTH_BYTES = 4;

  /** Unsigned 8 bits, as an int. */
  public static final Codec<Integer> U8 =
      new Fixed<>("u8", 1) {
        @Override
        public void write(Integer value, Sink out) {
          out.u8(value);
        }

        @Override
        Integer get(ByteBuffer in) {
          return in.get() & 0xff;
        }
      };

  /** A u8 that is 0 or 1. */
  public static final Codec<Boolean> BOOL =
      new Fixed<>("u8", 1) {
        @Override
        public void write(Boolean value, Sink out) {
          out.u8(value ? 1 : 0);
        }

        @Override
        Boolean get(ByteBuffer in) {
          int value = in.get();
          if ((value & ~1) != 0) {
            throw new MalformedException("%d is neither 0 nor 1".formatted(value & 0xff));
          }
          return value == 1;
        }
      };

  /** Unsigned 16 bits, as an int. */
  public static final Codec<Integer> U16 =
      new Fixed<>("u16", 2) {
        @Override
        public void write(Integer value, Sink out) {
          out.u16(value);
        }

        @Override
        Integer get(ByteBuffer in) {
          return in.getShort() & 0xffff;
        }
      };

  /** Signed 16 bits. */
  public static final Codec<Short> I16 =
      new Fixed<>("i16", 2) {
        @Override
        public void write(Short value, Sink out) {
          out.u16(value);
        }

        @Override
        Short get(ByteBuffer in) {
          return in.getShort();
        }
      };

  /** 32 bits; values above 2³¹−1 appear negative, and whoever uses them refuses those. */
  public static final Codec<Integer> U32 =
      new Fixed<>("u32", 4) {
        @Override
        public void write(Integer value, Sink out) {
          out.u32(value);
        }

        @Override
        Integer get(ByteBuffer in) {
          return in.getInt();
        }
      };

  /** 64 bits; values above 2⁶³−1 appear negative, and whoever uses them refuses those. */
  public static final Codec<Long> U64 = new Eight("u64");

  /** Signed 64 bits. */
  public static final Codec<Long> I64 = new Eight("i64");

  /** 16 bytes in UUID order: the most significant first, unlike the numbers. */
  public static final Codec<UUID> ID =
      new Fixed<>("id", 16) {
        @Override
        public void write(UUID value, Sink out) {
          out.u64(Long.reverseBytes(value.getMostSignificantBits()));
          out.u64(Long.reverseBytes(value.getLeastSignificantBits()));
        }

        @Override
        UUID get(ByteBuffer in) {
          long most = Long.reverseBytes(in.getLong());
          return new UUID(most, Long.reverseBytes(in.getLong()));
        }
      };

  /** u32 byte length + UTF-8. Anything that is not well-formed UTF-8 is refused. */
  public static final Codec<String> STR =
      new Codec<>() {
        @Override
        public void write(String value, Sink out) {
          ByteBuffer utf8 = StandardCharsets.UTF_8.encode(value);
          out.u32(utf8.remaining());
          out.raw(utf8);
        }

        @Override
        public String read(ByteBuffer in) {
          ByteBuffer utf8 = lengthPrefixed(in);
          if (!utf8.hasRemaining()) {
            return "";
          }
          try {
            CharBuffer chars =
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(utf8);
            return chars.toString();
          } catch (CharacterCodingException e) {
            throw new MalformedException("not UTF-8");
          }
        }

        @Override
        public String layout() {
          return "str";
        }

        @Override
        public int leastBytes() {
          return LENGTH_BYTES;
        }
      };

  /** u32 byte length + bytes. Read as a view of the frame; it may be written from a file slice. */
  public static final Codec<Blob> BLOB =
      new Codec<>() {
        @Override
        public void write(Blob value, Sink out) {
          out.u32(value.length());
          out.blob(value);
        }

        @Override
        public Blob read(ByteBuffer in) {
          return Bytes.of(lengthPrefixed(in));
        }

        @Override
        public String layout() {
          return "blob";
        }

        @Override
        public int leastBytes() {
          return LENGTH_BYTES;
        }
      };

  /** Like {@link #BLOB} for bytes that are always in memory. */
  public static final Codec<Bytes> BYTES =
      new Codec<>() {
        @Override
        public void write(Bytes value, Sink out) {
          BLOB.write(value, out);
        }

        @Override
        public Bytes read(ByteBuffer in) {
          return Bytes.of(lengthPrefixed(in));
        }

        @Override
        public String layout() {
          return "blob";
        }

        @Override
        public int leastBytes() {
          return LENGTH_BYTES;
        }
      };

  private Codecs() {}

  /**
   * u32 count + elements. A count that so many elements cannot have in the bytes that are there is
   * refused at once; elements that take no bytes are no elements.
   */
  public static <T> Codec<List<T>> list(Codec<T> element) {
    int elementBytes = element.leastBytes();
    if (elementBytes < 1) {
      throw new IllegalArgumentException("a list of nothing");
    }
    return new Codec<>() {
      @Override
      public void write(List<T> values, Sink out) {
        out.u32(values.size());
        for (T value : values) {
          element.write(value, out);
        }
      }

      @Override
      public List<T> read(ByteBuffer in) {
        need(in, 4);
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / elementBytes) {
          throw new MalformedException(
              "%s elements in %d bytes".formatted(Integer.toUnsignedString(count), in.remaining()));
        }
        // Not sized by count: it grows as elements turn out to be there.
        List<T> values = new ArrayList<>(Math.min(count, 64));
        for (int i = 0; i < count; i++) {
          values.add(element.read(in));
        }
        return values;
      }

      @Override
      public String layout() {
        return "list(" + element.layout() + ")";
      }

      @Override
      public int leastBytes() {
        return LENGTH_BYTES;
      }
    };
  }

  /** A message without fields. */
  public static <R> Codec<R> empty(R value) {
    return new Codec<>() {
      @Override
      public void write(R ignored, Sink out) {}

      @Override
      public R read(ByteBuffer in) {
        return value;
      }

      @Override
      public String layout() {
        return "–";
      }

      @Override
      public int leastBytes() {
        return 0;
      }
    };
  }

  /** Consumes a u32 length and as many bytes, and returns a view of these. */
  static ByteBuffer lengthPrefixed(ByteBuffer in) {
    need(in, 4);
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new MalformedException(
          "length %s with %d bytes left"
              .formatted(Integer.toUnsignedString(length), in.remaining()));
    }
    ByteBuffer view = in.duplicate().limit(in.position() + length);
    in.position(in.position() + length);
    return view;
  }

  static void need(ByteBuffer in, int bytes) {
    if (in.remaining() < bytes) {
      throw new MalformedException("%d bytes needed, %d left".formatted(bytes, in.remaining()));
    }
  }

  private abstract static class Fixed<T> implements Codec<T> {
    private final String layout;
    private final int bytes;

    Fixed(String layout, int bytes) {
      this.layout = layout;
      this.bytes = bytes;
    }

    abstract T get(ByteBuffer in);

    @Override
    public final T read(ByteBuffer in) {
      need(in, bytes);
      return get(in);
    }

    @Override
    public final String layout() {
      return layout;
    }

    @Override
    public final int leastBytes() {
      return bytes;
    }
  }

  private static final class Eight extends Fixed<Long> {
    Eight(String layout) {
      super(layout, 8);
    }

    @Override
    public void write(Long value, Sink out) {
      out.u64(value);
    }

    @Override
    Long get(ByteBuffer in) {
      return in.getLong();
    }
  }
}
