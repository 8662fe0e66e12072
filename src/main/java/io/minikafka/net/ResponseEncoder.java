package io.minikafka.net;

import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Chain;
import io.minikafka.codec.Codec;
import io.minikafka.codec.Sink;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import io.minikafka.storage.FileSlice;
import io.minikafka.storage.LocalFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts answers together as what a socket takes: buffers and regions of files. Small answers share a
 * buffer; record bytes do not pass through it. Nothing is written before its frame is whole, so a
 * frame that fails half-way leaves no trace.
 *
 * <p>Used by the connection's event loop only; ended by {@link #writeTo} or {@link #dropAll}.
 */
final class ResponseEncoder implements Sink {
  private static final int BUFFER_BYTES = 512;

  /** A buffer that holds so much is not grown, which would copy it, but followed by another. */
  private static final int FULL_BYTES = 16 << 10;

  /** Who sends is told whenever so much was taken. */
  private static final int TOLD_BYTES = 16 << 10;

  private final ByteBufAllocator allocator;
  private final NetMemory memory;
  private final int sendfileMinBytes;

  /** Whole parts in order: {@link ByteBuf} or {@link SliceRegion}. */
  private final List<Object> parts = new ArrayList<>();

  /** Loans whose bytes are among the parts; released when those are sent. */
  private List<Blob> loans = new ArrayList<>();

  /** The part being written to. */
  private @Nullable ByteBuf tail;

  private long bytes;
  private long copiedBytes;
  private long lentBytes;

  // Of the frame being written.
  private int partsBefore;
  private int loansBefore;
  private @Nullable ByteBuf head;
  private int headIndex;
  private long bytesBefore;
  private long copiedBytesBefore;
  private long lentBytesBefore;
  private int blobs;

  ResponseEncoder(ByteBufAllocator allocator, NetMemory memory, int sendfileMinBytes) {
    this.allocator = allocator;
    this.memory = memory;
    this.sendfileMinBytes = Math.max(1, sendfileMinBytes);
  }

  /** Bytes that wait for {@link #writeTo}. */
  long bytes() {
    return bytes;
  }

  /** Those of them that are in memory. */
  long memoryBytes() {
    return copiedBytes + lentBytes;
  }

  /**
   * Appends a frame.
   *
   * @param maxFrameBytes the longest frame that may come of it
   * @return false, and nothing was appended and the body is released, if it would be longer
   * @throws UncheckedIOException if bytes of a file could not be read; also without a trace
   */
  <R> boolean frame(int correlationId, Codec<R> body, R response, long maxFrameBytes) {
    begin(correlationId, ErrorCode.NONE);
    boolean written = false;
    try {
      body.write(response, this);
      written = bytes - bytesBefore - Frames.LENGTH_BYTES <= maxFrameBytes;
    } finally {
      if (written) {
        end();
      } else {
        int owned = blobs;
        rollBack();
        body.write(response, new DiscardingSink(owned));
      }
    }
    return written;
  }

  /** Appends an error. */
  void error(int correlationId, ErrorCode code) {
    begin(correlationId, code);
    end();
  }

  /** Appends an error with its body. */
  void error(int correlationId, ErrorCode code, Frames.Failure failure) {
    begin(correlationId, code);
    Frames.Failure.CODEC.write(failure, this);
    end();
  }

  private void begin(int correlationId, ErrorCode code) {
    ByteBuf start = room(Frames.LENGTH_BYTES + Frames.RESPONSE_HEADER_BYTES);
    partsBefore = parts.size();
    loansBefore = loans.size();
    head = start;
    headIndex = start.writerIndex();
    bytesBefore = bytes;
    copiedBytesBefore = copiedBytes;
    lentBytesBefore = lentBytes;
    blobs = 0;
    u32(0);
    Frames.responseHeader(correlationId, code, this);
  }

  private void end() {
    if (head != null) {
      head.setIntLE(headIndex, (int) (bytes - bytesBefore - Frames.LENGTH_BYTES));
      head = null;
    }
  }

  private void rollBack() {
    ByteBuf start = head;
    if (tail != null && tail != start) {
      tail.release();
    }
    for (Object part : parts.subList(partsBefore, parts.size())) {
      if (part != start) {
        ReferenceCountUtil.release(part);
      }
    }
    parts.subList(partsBefore, parts.size()).clear();
    List<Blob> taken = loans.subList(loansBefore, loans.size());
    taken.forEach(Blob::release);
    taken.clear();
    if (start != null) {
      start.writerIndex(headIndex);
    }
    tail = start;
    head = null;
    bytes = bytesBefore;
    copiedBytes = copiedBytesBefore;
    lentBytes = lentBytesBefore;
  }

  /**
   * Hands all that was appended to the socket, without flushing.
   *
   * @param onTaken told of bytes that the socket has taken, but for those at the end
   * @param sent completed when the socket has taken it or will never
   * @return what was handed over; its owner releases it when {@code sent} completes
   */
  Handed writeTo(ChannelHandlerContext socket, LongConsumer onTaken, ChannelPromise sent) {
    sealTail();
    int last = parts.size() - 1;
    long untold = 0;
    for (int i = 0; i < last; i++) {
      untold += bytesOf(parts.get(i));
      ChannelPromise taken = socket.voidPromise();
      if (untold >= TOLD_BYTES) {
        taken = tells(untold, onTaken, socket.newPromise());
        untold = 0;
      }
      socket.write(parts.get(i), taken);
    }
    Handed handed =
        new Handed(
            bytes, copiedBytes, copiedBytes + lentBytes, untold + bytesOf(parts.get(last)), loans);
    memory.addAnswers(copiedBytes);
    socket.write(parts.get(last), sent);
    parts.clear();
    loans = new ArrayList<>();
    bytes = 0;
    copiedBytes = 0;
    lentBytes = 0;
    return handed;
  }

  private static ChannelPromise tells(long bytes, LongConsumer onTaken, ChannelPromise promise) {
    return promise.addListener(
        done -> {
          if (done.isSuccess()) {
            onTaken.accept(bytes);
          }
        });
  }

  private static long bytesOf(Object part) {
    return part instanceof SliceRegion region ? region.count() : ((ByteBuf) part).readableBytes();
  }

  /** What the socket has been given. */
  final class Handed {
    private final long bytes;
    private final long copiedBytes;
    private final long memoryBytes;
    private final long untoldBytes;
    private final List<Blob> loans;

    private Handed(
        long bytes, long copiedBytes, long memoryBytes, long untoldBytes, List<Blob> loans) {
      this.bytes = bytes;
      this.copiedBytes = copiedBytes;
      this.memoryBytes = memoryBytes;
      this.untoldBytes = untoldBytes;
      this.loans = loans;
    }

    long bytes() {
      return bytes;
    }

    /** Those of them that are in memory. */
    long memoryBytes() {
      return memoryBytes;
    }

    /** Those at the end, of which {@code onTaken} is not told. */
    long untoldBytes() {
      return untoldBytes;
    }

    void release() {
      memory.releaseAnswers(copiedBytes);
      loans.forEach(Blob::release);
    }
  }

  /** Releases all that was appended and not handed over. */
  void dropAll() {
    sealTail();
    parts.forEach(ReferenceCountUtil::release);
    parts.clear();
    loans.forEach(Blob::release);
    loans.clear();
    bytes = 0;
    copiedBytes = 0;
    lentBytes = 0;
  }

  @Override
  public void u8(int value) {
    room(1).writeByte(value);
    count(1);
  }

  @Override
  public void u16(int value) {
    room(2).writeShortLE(value);
    count(2);
  }

  @Override
  public void u32(int value) {
    room(4).writeIntLE(value);
    count(4);
  }

  @Override
  public void u64(long value) {
    room(8).writeLongLE(value);
    count(8);
  }

  @Override
  public void raw(ByteBuffer source) {
    int length = source.remaining();
    room(length).writeBytes(source.duplicate());
    count(length);
  }

  @Override
  public void blob(Blob blob) {
    blobs++;
    send(blob);
  }

  private void send(Blob blob) {
    switch (blob) {
      case Chain chain -> sendAll(chain);
      case FileSlice slice
          when slice.file() instanceof LocalFile file
              && slice.length() >= (memory.isShort() ? 1 : sendfileMinBytes) -> {
        sealTail();
        parts.addAll(SliceRegion.of(file, slice));
        bytes += slice.length();
      }
      case PooledLoan loan when loan.length() >= sendfileMinBytes -> {
        sealTail();
        parts.add(loan.bytes().retainedDuplicate());
        loans.add(loan);
        bytes += loan.length();
        lentBytes += loan.length();
      }
      case Bytes inMemory -> raw(inMemory.buffer());
      case Blob other -> copy(other);
    }
  }

  private void sendAll(Chain chain) {
    int sent = 0;
    try {
      for (Blob part : chain.parts()) {
        sent++;
        send(part);
      }
    } finally {
      // If one failed, those behind it have no other owner.
      chain.parts().subList(sent, chain.parts().size()).forEach(Blob::release);
    }
  }

  private void copy(Blob blob) {
    int length = blob.length();
    try {
      if (length > 0) {
        ByteBuf out = room(length);
        blob.copyTo(out.nioBuffer(out.writerIndex(), length));
        out.writerIndex(out.writerIndex() + length);
        count(length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      blob.release();
    }
  }

  private void count(int length) {
    bytes += length;
    copiedBytes += length;
  }

  private ByteBuf room(int length) {
    ByteBuf out = tail;
    if (out != null && out.writableBytes() < length && out.readableBytes() >= FULL_BYTES) {
      sealTail();
      out = null;
    }
    if (out == null) {
      out = allocator.directBuffer(Math.max(length, BUFFER_BYTES));
      tail = out;
    }
    return out.ensureWritable(length);
  }

  private void sealTail() {
    if (tail != null) {
      if (tail.isReadable()) {
        parts.add(tail);
      } else {
        tail.release();
      }
      tail = null;
    }
  }
}
