package io.minikafka.net;

import io.minikafka.protocol.Frames;
import io.minikafka.record.BatchMarker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a socket gives into frames: each becomes a buffer of its own, with its readable bytes
 * behind {@link #HEADROOM_BYTES} of room, where the marker of a version 0 batch is written.
 *
 * <p>The rest of a large frame can be read straight into its buffer: {@link #restOfLargeFrame}.
 *
 * <p>The length is checked before anything is kept. Then the gate is asked, and again whenever the
 * buffer is to grow; while it says no, what was read is held and the socket is not read from. A
 * buffer grows as the bytes of its frame come: to twice as much, to the whole frame where that is
 * no more than two and a half times, or to eight times while the gate has plenty. What is only
 * announced takes no memory.
 *
 * <p>What is held is one read, and little where memory is short ({@link FrameReads}). When its
 * client has ended a socket is read from in spite of that; if that is much it is over.
 *
 * <p>On the connection's event loop only. Whoever gets a frame owns it.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  static final int HEADROOM_BYTES = BatchMarker.BYTES;

  /** Less than that is cheaper copied than read by itself. */
  static final int LARGE_BYTES = 32 << 10;

  /** Each step copies what has come, and leaves a size behind that only its like can use again. */
  private static final int GROWTH_IN_PLENTY = 8;

  /** Nobody counts what is held, so behind the first read there is a bound to it. */
  private static final int MOST_HELD_BYTES = 128 << 10;

  private final int maxFrameBytes;
  private final Gate gate;

  /** Read and not yet looked at, while held. */
  private final Deque<ByteBuf> unread = new ArrayDeque<>();

  private @Nullable ChannelHandlerContext context;

  /** The gate said no. */
  private boolean held;

  private boolean decoding;
  private boolean ended;

  /** Bytes of the length field that have come. */
  private int lengthBytes;

  private int length;

  /** Room that the frame was admitted with; 0 before. */
  private int firstBytes;

  /** What its buffer is to grow to, once the gate lets it; 0: nothing was asked for. */
  private int growTo;

  private @Nullable ByteBuf frame;

  /** A part of {@link #frame} that is being read into. */
  private @Nullable ByteBuf rest;

  private boolean lastWasLarge;
  private long framesBegun;
  private long receivedBytes;

  /** Who decides what comes in. */
  interface Gate {
    /**
     * Whether a frame of so many bytes may come in now.
     *
     * @param hereBytes what has come of it, and of what follows it
     * @return how much room it begins with, at most its bytes; 0: none yet, {@link #resume} follows
     */
    int admit(int frameBytes, int hereBytes);

    /** Whether it may take so many bytes more; if not, {@link #resume} follows. */
    boolean grow(int moreBytes);

    /** Whether so many bytes more are a small part of what is free. */
    boolean hasPlentyFor(int moreBytes);

    /** Whether little memory is free, so that little should be held. */
    boolean isMemoryShort();

    /** Whether others wait for memory, so that what comes now will be held. */
    boolean othersWait();

    /** The client has ended while what it sent was held; nothing more is decoded. */
    void clientGone();

    /** A frame announces an impossible length; nothing more is decoded. */
    void badLength(int frameBytes);
  }

  FrameDecoder(int maxFrameBytes, Gate gate) {
    this.maxFrameBytes = maxFrameBytes;
    this.gate = gate;
  }

  /** Number of the frame of which the client owes the rest, counted from 1; 0 if it owes none. */
  long unfinishedFrame() {
    return lengthBytes > 0 && !held ? framesBegun : 0;
  }

  /** Number of the frame that has been let in and is not whole; 0 if there is none. */
  long admittedFrame() {
    return firstBytes > 0 ? framesBegun : 0;
  }

  /** How much has come, counted up; of no frame in particular. */
  long receivedBytes() {
    return receivedBytes;
  }

  /** Whether it holds back what has come, or would. */
  boolean isHeld() {
    return held;
  }

  /** See {@link Gate#isMemoryShort}. */
  boolean isMemoryShort() {
    return gate.isMemoryShort();
  }

  /** See {@link Gate#othersWait}. */
  boolean othersWait() {
    return gate.othersWait();
  }

  /** Whether the frame before this one was large. */
  boolean lastWasLarge() {
    return lastWasLarge;
  }

  /**
   * Room for the next read within the frame that is coming in, to be given to {@link #channelRead}
   * or released. For more of it nobody is asked: the read may bring nothing.
   *
   * @return null if that frame has not begun, or its buffer has too little room left
   */
  @Nullable ByteBuf restOfLargeFrame() {
    ByteBuf into = frame;
    rest = null;
    if (into == null || held || ended || into.writableBytes() < LARGE_BYTES) {
      return null;
    }
    ByteBuf given = into.retainedSlice(into.writerIndex(), into.writableBytes()).writerIndex(0);
    rest = given;
    return given;
  }

  /** Ends decoding and drops what is held. */
  void end() {
    ended = true;
    unread.forEach(ByteBuf::release);
    unread.clear();
    if (frame != null) {
      frame.release();
      frame = null;
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** Asks the gate again. */
  void resume() {
    if (!held || decoding || ended || context == null) {
      return;
    }
    held = false;
    do {
      ByteBuf next = unread.isEmpty() ? Unpooled.EMPTY_BUFFER : unread.remove();
      decodeOrKeep(context, next);
    } while (!held && !ended && !unread.isEmpty());
    context.fireChannelReadComplete();
    if (!held && !ended) {
      context.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext socket, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    receivedBytes += bytes.readableBytes();
    if (ended) {
      bytes.release();
    } else if (bytes == rest && frame != null) {
      rest = null;
      int read = bytes.readableBytes();
      bytes.release();
      frame.writerIndex(frame.writerIndex() + read);
      endIfWhole(socket, frame);
    } else if (held && !unread.isEmpty() && heldBytes() + bytes.capacity() > MOST_HELD_BYTES) {
      bytes.release();
      end();
      gate.clientGone();
    } else if (held) {
      unread.add(bytes);
    } else {
      decodeOrKeep(socket, bytes);
    }
  }

  private long heldBytes() {
    return unread.stream().mapToLong(ByteBuf::capacity).sum();
  }

  private void decodeOrKeep(ChannelHandlerContext socket, ByteBuf in) {
    decoding = true;
    boolean keep = false;
    try {
      decode(socket, in);
      keep = held && !ended && in.isReadable();
    } finally {
      decoding = false;
      if (!keep) {
        in.release();
      }
    }
    if (keep) {
      unread.addFirst(in);
    }
  }

  private void decode(ChannelHandlerContext socket, ByteBuf in) {
    while (!ended) {
      if (lengthBytes < Frames.LENGTH_BYTES && !readLength(in)) {
        return;
      }
      if (firstBytes == 0) {
        firstBytes = gate.admit(length, in.readableBytes());
        if (firstBytes == 0) {
          hold(socket);
          return;
        }
      }
      if (!in.isReadable()) {
        return;
      }
      ByteBuf into = frame(socket);
      int bytes = Math.min(in.readableBytes(), HEADROOM_BYTES + length - into.writerIndex());
      if (into.writableBytes() < bytes && !grow(into, bytes)) {
        hold(socket);
        return;
      }
      into.writeBytes(in, bytes);
      endIfWhole(socket, into);
    }
  }

  private void endIfWhole(ChannelHandlerContext socket, ByteBuf into) {
    if (into.writerIndex() - HEADROOM_BYTES < length) {
      return;
    }
    frame = null;
    lengthBytes = 0;
    firstBytes = 0;
    lastWasLarge = length >= LARGE_BYTES;
    socket.fireChannelRead(into.readerIndex(HEADROOM_BYTES));
  }

  private void hold(ChannelHandlerContext socket) {
    held = true;
    socket.channel().config().setAutoRead(false);
  }

  /**
   * @return whether the length is whole and possible
   */
  private boolean readLength(ByteBuf in) {
    if (lengthBytes == 0) {
      length = 0;
      framesBegun += in.isReadable() ? 1 : 0;
    }
    while (lengthBytes < Frames.LENGTH_BYTES && in.isReadable()) {
      length |= in.readUnsignedByte() << (8 * lengthBytes);
      lengthBytes++;
    }
    if (lengthBytes < Frames.LENGTH_BYTES) {
      return false;
    }
    // Above 2^31-1 it is negative.
    if (length < Frames.REQUEST_HEADER_BYTES || length > maxFrameBytes) {
      end();
      gate.badLength(length);
      return false;
    }
    return true;
  }

  private ByteBuf frame(ChannelHandlerContext socket) {
    ByteBuf into = frame;
    if (into == null) {
      into = socket.alloc().directBuffer(HEADROOM_BYTES + firstBytes, HEADROOM_BYTES + length);
      into.writerIndex(HEADROOM_BYTES);
      frame = into;
    }
    return into;
  }

  /** Makes room for so many bytes, if the gate allows. */
  private boolean grow(ByteBuf into, int bytes) {
    if (growTo == 0) {
      growTo = grown(into.capacity(), into.writerIndex() + bytes);
    }
    if (!gate.grow(growTo - into.capacity())) {
      return false;
    }
    into.capacity(growTo);
    growTo = 0;
    return true;
  }

  private int grown(int capacity, int needed) {
    int whole = HEADROOM_BYTES + length;
    int much = (int) Math.min((long) GROWTH_IN_PLENTY * capacity, whole);
    if (much >= needed && gate.hasPlentyFor(much - capacity)) {
      return much;
    }
    if (2L * whole <= 5L * capacity) {
      return whole;
    }
    return (int) Math.min(Math.max(2L * capacity, needed), whole);
  }
}
