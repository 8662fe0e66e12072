package io.minikafka.net;

import io.minikafka.storage.FileSlice;
import io.minikafka.storage.LocalFile;
import io.netty.channel.DefaultFileRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of a file slice on its way out by sendfile. When the last piece of the slice was sent or
 * dropped its lease ends; the file stays open, others use it.
 */
final class SliceRegion extends DefaultFileRegion {
  /** A region holds its event loop until the socket takes no more: no longer than for this. */
  static final int PIECE_BYTES = 1 << 20;

  private final FileSlice slice;
  private final AtomicInteger piecesLeft;

  private SliceRegion(
      LocalFile file, FileSlice slice, long position, long bytes, AtomicInteger piecesLeft) {
    super(file.channel(), position, bytes);
    this.slice = slice;
    this.piecesLeft = piecesLeft;
  }

  /** The slice in pieces, in order; they own its lease. */
  static List<SliceRegion> of(LocalFile file, FileSlice slice) {
    int count = (slice.length() + PIECE_BYTES - 1) / PIECE_BYTES;
    AtomicInteger left = new AtomicInteger(count);
    List<SliceRegion> pieces = new ArrayList<>(count);
    for (long at = 0; at < slice.length(); at += PIECE_BYTES) {
      long bytes = Math.min(PIECE_BYTES, slice.length() - at);
      pieces.add(new SliceRegion(file, slice, slice.position() + at, bytes, left));
    }
    return pieces;
  }

  @Override
  protected void deallocate() {
    if (piecesLeft.decrementAndGet() == 0) {
      slice.release();
    }
  }
}
