package io.minikafka.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSliceTest {
  @TempDir Path folder;
  private DiskFile file;

  @BeforeEach
  void write() throws IOException {
    file = new LocalDisk().open(folder.resolve("f"), Disk.Mode.CREATE);
    file.write(ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 0);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  @Test
  void theLeaseEndsOnceHoweverOftenItIsReleased() {
    int[] ended = {0};
    FileSlice slice = new FileSlice(file, 2, 3, () -> ended[0]++);
    slice.release();
    slice.release();
    assertEquals(1, ended[0]);
  }

  @Test
  void itCopiesItsBytesAndNoOthers() throws IOException {
    ByteBuffer out = ByteBuffer.allocate(6).position(1);
    new FileSlice(file, 2, 3, () -> {}).copyTo(out);
    assertArrayEquals(new byte[] {0, 2, 3, 4, 0, 0}, out.array());
    assertEquals(4, out.position());
    assertEquals(6, out.limit());
  }

  @Test
  void aFileThatEndsTooEarlyIsAnError() {
    FileSlice slice = new FileSlice(file, 8, 3, () -> {});
    ByteBuffer out = ByteBuffer.allocate(6);
    assertThrows(EOFException.class, () -> slice.copyTo(out));
    assertEquals(6, out.limit());
  }
}
