package io.minikafka.admin;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire between a client and a server that can be cut, so that neither says goodbye. */
final class CutWire implements AutoCloseable {
  private final ServerSocket server;
  private final URI to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  CutWire(URI to) throws IOException {
    this.to = to;
    this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  URI address() {
    return URI.create("http://localhost:" + server.getLocalPort());
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        Socket far = new Socket(to.getHost(), to.getPort());
        sockets.addAll(List.of(near, far));
        Thread.ofVirtual().start(() -> pump(near, far));
        Thread.ofVirtual().start(() -> pump(far, near));
      } catch (IOException e) {
        // Cut, or closed.
      }
    }
  }

  private static void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // Cut.
    }
  }

  void cut() {
    for (Socket socket : sockets) {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        // It is cut already.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
