package io.minikafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ports of the loopback address for whoever must know a port before it is opened, or opens it again
 * later. A port the kernel chose and that was closed again is no such port: until it is opened the
 * kernel may give it to any outgoing connection. These lie below that range.
 *
 * <p>Ports are claimed by the block: the first port of a block is open for as long as this process
 * lives, so no other process that asks here gets any of the others. Each is handed out once, and
 * only if it can be opened now; nobody needs to give one back. Any thread.
 */
public final class FreePorts {
  /** Below are the ports programs have by default, those of a broker among them. */
  private static final int LEAST = 10_000;

  private static final int BLOCK = 100;
  private static final int FEWEST_BLOCKS = 20;
  private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final FreePorts OF_THIS_PROCESS = new FreePorts();

  private final int blocks = blocks();

  /** Held, never read: they claim. */
  private final List<ServerSocket> claims = new ArrayList<>();

  /** Guarded by this, as are the claims; a multiple of the block's size if all are handed out. */
  private int nextPort;

  private int nextBlock = (int) (ProcessHandle.current().pid() % blocks);

  FreePorts() {}

  /** One that is free and that nobody else is given. */
  public static int next() {
    return OF_THIS_PROCESS.take();
  }

  synchronized int take() {
    while (true) {
      if (nextPort % BLOCK == 0) {
        claim();
      }
      Optional<ServerSocket> opened = open(nextPort++);
      if (opened.isPresent()) {
        close(opened.get());
        return nextPort - 1;
      }
    }
  }

  private void claim() {
    for (int tried = 0; tried < blocks; tried++) {
      int first = LEAST + nextBlock * BLOCK;
      nextBlock = (nextBlock + 1) % blocks;
      Optional<ServerSocket> claim = open(first);
      if (claim.isPresent()) {
        claims.add(claim.get());
        nextPort = first + 1;
        return;
      }
    }
    throw new AssertionError("every block of ports from %d on is taken".formatted(LEAST));
  }

  /** Empty if another has it. */
  private static Optional<ServerSocket> open(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      try {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
        return Optional.of(socket);
      } catch (IOException taken) {
        socket.close();
        return Optional.empty();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of a machine that leaves hardly any port to others, all from the least on: nothing is safe. */
  private static int blocks() {
    int below = (leastOfTheKernel() - LEAST) / BLOCK;
    return below >= FEWEST_BLOCKS ? below : (65_536 - LEAST) / BLOCK;
  }

  /** The least port the kernel gives to an outgoing connection, and to port 0. */
  static int leastOfTheKernel() {
    // By a reader: of this file the kernel gives nothing after the first read, however short.
    try (BufferedReader reader = Files.newBufferedReader(RANGE)) {
      return Integer.parseInt(reader.readLine().split("\\s+", -1)[0]);
    } catch (IOException notLinux) {
      // As assigned for the purpose (RFC 6335).
      return 49_152;
    }
  }
}
