package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.broker.BufferPool;
import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Chain;
import io.minikafka.codec.Codec;
import io.minikafka.codec.Codecs;
import io.minikafka.it.BufferLeaks;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.FileSlice;
import io.minikafka.storage.LocalDisk;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(BufferLeaks.class)
class ResponseEncoderTest {
  private static final int FILE_BYTES = 5 << 20;
  private static final int SENDFILE_BYTES = 1000;
  private static final Codec<List<Blob>> BLOBS = Codecs.list(Codecs.BLOB);

  @TempDir Path directory;

  private final NetMemory memory = new NetMemory(64 << 20);
  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  private final ChannelHandlerContext socket = channel.pipeline().firstContext();
  private final ResponseEncoder encoder =
      new ResponseEncoder(channel.alloc(), memory, SENDFILE_BYTES);
  private final AtomicInteger leases = new AtomicInteger();
  private final AtomicLong taken = new AtomicLong();
  private final byte[] content = new byte[FILE_BYTES];
  private DiskFile file;

  @BeforeEach
  void fill() throws IOException {
    new Random(1).nextBytes(content);
    file = new LocalDisk().open(directory.resolve("f"), Disk.Mode.CREATE);
    file.write(ByteBuffer.wrap(content), 0);
  }

  @AfterEach
  void everythingIsBack() throws IOException {
    encoder.dropAll();
    assertEquals(0, leases.get());
    assertEquals(0, memory.usedBytes());
    file.close();
  }

  private FileSlice slice(int position, int length) {
    leases.incrementAndGet();
    return new FileSlice(file, position, length, leases::decrementAndGet);
  }

  private BufferPool.Loan loan(int length) {
    BufferPool.Loan loan = memory.take(length);
    loan.buffer().put(content, 0, length);
    return loan;
  }

  private byte[] content(int position, int length) {
    return java.util.Arrays.copyOfRange(content, position, position + length);
  }

  /** Sends all there is and gives what a client would get. */
  private byte[] sent() throws IOException {
    if (encoder.bytes() == 0) {
      return new byte[0];
    }
    long announced = encoder.bytes();
    ResponseEncoder.Handed handed = encoder.writeTo(socket, taken::addAndGet, socket.newPromise());
    channel.flush();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WritableByteChannel target = Channels.newChannel(out);
    for (Object part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      switch (part) {
        case ByteBuf bytes -> {
          bytes.readBytes(out, bytes.readableBytes());
          bytes.release();
        }
        case FileRegion region -> {
          assertTrue(region.count() <= SliceRegion.PIECE_BYTES);
          while (region.transferred() < region.count()) {
            region.transferTo(target, region.transferred());
          }
          region.release();
        }
        default -> throw new AssertionError(part);
      }
    }
    assertEquals(announced, handed.bytes());
    assertEquals(announced, out.size());
    handed.release();
    return out.toByteArray();
  }

  private static byte[] frame(int id, int error, byte[] body) {
    return Wire.body().u32(6 + body.length).u32(id).u16(error).raw(body).bytes();
  }

  private boolean encode(int id, Blob... blobs) {
    return encoder.frame(id, BLOBS, List.of(blobs), Long.MAX_VALUE);
  }

  @Test
  void framesOfEveryKindOfBlob() throws IOException {
    assertTrue(
        encode(
            1,
            Bytes.of(content(0, 10)),
            slice(100, 20), // Copied.
            slice(1000, 3 << 20), // In pieces, from the file.
            loan(5000), // As it is.
            loan(50), // Copied.
            Chain.of(List.of(slice(0, 2000), Bytes.of(content(7, 3)), slice(5, 0))),
            slice(0, 0)));
    Wire body = Wire.body().u32(7);
    body.blob(content(0, 10)).blob(content(100, 20)).blob(content(1000, 3 << 20));
    body.blob(content(0, 5000)).blob(content(0, 50));
    body.blob(Wire.concat(content(0, 2000), content(7, 3))).blob(new byte[0]);
    assertArrayEquals(frame(1, 0, body.bytes()), sent());
  }

  @Test
  void manySmallFramesShareBuffers() throws IOException {
    Wire expected = Wire.body();
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = content(i, i % 100);
      assertTrue(encode(i, Bytes.of(bytes)));
      expected.raw(frame(i, 0, Wire.body().u32(1).blob(bytes).bytes()));
    }
    assertArrayEquals(expected.bytes(), sent());
  }

  @Test
  void errorsWithAndWithoutABody() throws IOException {
    encoder.error(1, ErrorCode.UNKNOWN_API);
    encoder.error(2, ErrorCode.FORBIDDEN, new Frames.Failure("no", Bytes.EMPTY));
    assertArrayEquals(
        Wire.concat(frame(1, 11, new byte[0]), frame(2, 22, Wire.body().str("no").u32(0).bytes())),
        sent());
  }

  @Test
  void frameThatIsTooLongLeavesNoTrace() throws IOException {
    assertTrue(encode(1, Bytes.of(content(0, 10))));
    byte[] expected = frame(1, 0, Wire.body().u32(1).blob(content(0, 10)).bytes());
    List<Blob> blobs = List.of(slice(0, 3 << 20), loan(5000), loan(5), slice(0, 5), slice(0, 1500));
    assertFalse(encoder.frame(2, BLOBS, blobs, 4 << 20 >> 1));
    assertEquals(0, leases.get());
    assertEquals(expected.length, encoder.bytes());
    assertTrue(encode(3, slice(0, 5)));
    assertArrayEquals(
        Wire.concat(expected, frame(3, 0, Wire.body().u32(1).blob(content(0, 5)).bytes())), sent());
  }

  @Test
  void blobThatCannotBeReadLeavesNoTraceAndReleasesThoseBehindIt() throws IOException {
    encoder.error(1, ErrorCode.UNKNOWN_API);
    FileSlice beyondTheEnd = slice(FILE_BYTES - 5, 10);
    Blob chain = Chain.of(List.of(slice(0, 2000), beyondTheEnd, slice(0, 5)));
    assertThrows(
        UncheckedIOException.class, () -> encode(2, slice(0, 2000), loan(9), chain, loan(5000)));
    assertEquals(0, leases.get());
    encoder.error(3, ErrorCode.UNKNOWN_API);
    assertArrayEquals(Wire.concat(frame(1, 11, new byte[0]), frame(3, 11, new byte[0])), sent());
  }

  @Test
  void whatIsNotSentIsReleased() {
    assertTrue(encode(1, slice(0, 3 << 20), loan(5000), slice(0, 5)));
    encoder.dropAll();
    assertEquals(0, encoder.bytes());
    // Looked at after the test.
  }

  @Test
  void closedSocketReleasesEverything() throws IOException {
    assertTrue(encode(1, slice(0, 3 << 20), loan(5000), slice(0, 5)));
    channel.close();
    var promise = socket.newPromise();
    ResponseEncoder.Handed handed = encoder.writeTo(socket, taken::addAndGet, promise);
    assertTrue(promise.isDone() && !promise.isSuccess());
    handed.release();
    assertEquals(0, leases.get());
  }

  @Test
  void smallSlicesAreNotCopiedWhileMemoryIsShort() throws IOException {
    memory.addAnswers(60 << 20);
    assertTrue(encode(1, slice(10, 20)));
    assertEquals(1, leases.get(), "held until it is sent");
    byte[] expected = frame(1, 0, Wire.body().u32(1).blob(content(10, 20)).bytes());
    assertArrayEquals(expected, sent());
    memory.releaseAnswers(60 << 20);
  }

  @Test
  void answersCountAsMemoryUntilTheyAreTaken() {
    assertTrue(encode(1, Bytes.of(content(0, 100)), slice(0, 5000), loan(3000)));
    ResponseEncoder.Handed handed = encoder.writeTo(socket, taken::addAndGet, socket.newPromise());
    int buffers = 4 + 6 + 4 + 3 * 4 + 100;
    assertEquals(buffers + 3000, memory.usedBytes());
    assertEquals(buffers + 3000, handed.memoryBytes());
    handed.release();
    assertEquals(0, memory.usedBytes());
    channel.flush();
    channel.releaseOutbound();
  }

  @Test
  void whoSendsIsToldOfEveryByteThatWasTakenOnce() throws IOException {
    assertTrue(encode(1, slice(0, 3 << 20), loan(20_000), Bytes.of(content(0, 100)), loan(3000)));
    long announced = encoder.bytes();
    ResponseEncoder.Handed handed = encoder.writeTo(socket, taken::addAndGet, socket.newPromise());
    assertEquals(0, taken.get());
    channel.flush();
    assertTrue(taken.get() >= (3 << 20) + 20_000, taken + " bytes");
    assertEquals(announced, taken.get() + handed.untoldBytes());
    handed.release();
    channel.releaseOutbound();
  }
}
