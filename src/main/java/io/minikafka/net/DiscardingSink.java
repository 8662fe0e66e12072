package io.minikafka.net;

import io.minikafka.codec.Blob;
import io.minikafka.codec.Sink;
import java.nio.ByteBuffer;

/** Where a response goes that nobody will get: releases its blobs. One use. */
final class DiscardingSink implements Sink {
  private int blobsToSkip;

  /**
   * @param blobsToSkip the first so many have an owner already
   */
  DiscardingSink(int blobsToSkip) {
    this.blobsToSkip = blobsToSkip;
  }

  @Override
  public void u8(int value) {}

  @Override
  public void u16(int value) {}

  @Override
  public void u32(int value) {}

  @Override
  public void u64(long value) {}

  @Override
  public void raw(ByteBuffer bytes) {}

  @Override
  public void blob(Blob blob) {
    if (blobsToSkip > 0) {
      blobsToSkip--;
    } else {
      blob.release();
    }
  }
}
