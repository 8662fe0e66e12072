package io.minikafka.net;

/**
 * Which frames of a connection come in now, and with how much room: none while it has too much
 * under way, or others have all the memory. On the connection's event loop.
 */
final class Admission implements FrameDecoder.Gate {
  /** The buffer of a frame begins with so much, or with the whole frame if that is shorter. */
  private static final int FIRST_BYTES = 2 << 20;

  /** The same when memory is not plenty: a small frame begins with all of its bytes. */
  private static final int LEAST_FIRST_BYTES = IncomingFrame.SMALL_BYTES;

  private final NetSettings settings;
  private final NetMemory memory;
  private final FrameRoom room;
  private final Client client;

  private boolean held;

  /** The connection. */
  interface Client {
    /** Whether it takes no frame now, whatever there is room for. */
    boolean takesNone();

    /** Bytes of its requests and answers under way. */
    long busyBytes();

    /** What it sends is held from now on, or no longer. */
    void held(boolean held);

    void close(CloseReason reason);

    /** The client has ended. */
    void clientGone();
  }

  Admission(NetSettings settings, NetMemory memory, FrameRoom room, Client client) {
    this.settings = settings;
    this.memory = memory;
    this.room = room;
    this.client = client;
  }

  @Override
  public int admit(int frameBytes, int hereBytes) {
    int first = Math.min(frameBytes, memory.isRoomy() ? FIRST_BYTES : LEAST_FIRST_BYTES);
    long least = (long) first + Connection.REQUEST_BYTES;
    long taken = hasRoomFor(frameBytes) ? room.begin(frameBytes, hereBytes, least) : 0;
    return hold(taken > 0) ? (int) taken - Connection.REQUEST_BYTES : 0;
  }

  private boolean hasRoomFor(int frameBytes) {
    long bytes = (long) frameBytes + Connection.REQUEST_BYTES;
    return !client.takesNone()
        && NetMemory.fits(client.busyBytes(), bytes, settings.connectionInFlightBytes());
  }

  @Override
  public boolean grow(int moreBytes) {
    return hold(room.grow(moreBytes));
  }

  private boolean hold(boolean admitted) {
    if (admitted == held) {
      held = !admitted;
      client.held(held);
    }
    return admitted;
  }

  @Override
  public boolean hasPlentyFor(int moreBytes) {
    return memory.hasPlentyFor(moreBytes);
  }

  @Override
  public boolean isMemoryShort() {
    return memory.isShort();
  }

  @Override
  public boolean othersWait() {
    return memory.isContended();
  }

  @Override
  public void clientGone() {
    client.clientGone();
  }

  @Override
  public void badLength(int frameBytes) {
    client.close(
        frameBytes < 0 || frameBytes > settings.maxFrameBytes()
            ? CloseReason.FRAME_TOO_LONG
            : CloseReason.FRAME_TOO_SHORT);
  }
}
