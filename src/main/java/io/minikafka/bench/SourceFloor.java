package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;

/**
 * Pieces of a file over loopback by sendfile, each asked for with eight bytes and read whole. What
 * a broker does at least for a fetch of what lies in the page cache.
 */
final class SourceFloor implements Load {
  private static final int QUESTION_BYTES = 8;
  private static final int WRITE_BYTES = 1 << 20;

  private final FileChannel file;
  private final FloorServer server;
  private final SocketChannel channel;
  private final ByteBuffer piece;
  private final ByteBuffer question = ByteBuffer.allocateDirect(QUESTION_BYTES);

  /**
   * @param fileBytes of the file that is read again and again; at least one piece
   */
  SourceFloor(FileChannel file, int pieceBytes, long fileBytes) throws IOException {
    this.file = file;
    this.piece = ByteBuffer.allocateDirect(pieceBytes);
    long length = Math.max(fileBytes, pieceBytes);
    ByteBuffer content = RecordValues.direct(WRITE_BYTES);
    for (long at = 0; at < length; ) {
      content.position(0).limit((int) Math.min(WRITE_BYTES, length - at));
      at += file.write(content, at);
    }
    this.server = FloorServer.start(connection -> serve(connection, pieceBytes, length));
    this.channel = server.connect();
  }

  private void serve(SocketChannel connection, int pieceBytes, long length) throws IOException {
    ByteBuffer in = ByteBuffer.allocateDirect(QUESTION_BYTES);
    long at = 0;
    while (true) {
      FloorServer.readFully(connection, in);
      if (at + pieceBytes > length) {
        at = 0;
      }
      long end = at + pieceBytes;
      while (at < end) {
        at += file.transferTo(at, end - at, connection);
      }
    }
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long pieces = 0;
    while (pieces == 0 || !limit.isReached(began, System.nanoTime(), pieces * piece.capacity())) {
      FloorServer.writeFully(channel, question);
      FloorServer.readFully(channel, piece);
      pieces++;
    }
    long bytes = pieces * piece.capacity();
    return new Work(pieces, bytes, bytes, System.nanoTime() - began);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    server.close();
    file.close();
  }
}
