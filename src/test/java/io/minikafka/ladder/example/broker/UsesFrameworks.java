package io.minikafka.ladder.example.broker;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Logger;

class UsesFrameworks {
  final Logger log = Logger.getLogger("x");

  Buffer read(Path path) throws IOException {
    return Buffer.buffer(Files.readAllBytes(path));
  }
}
