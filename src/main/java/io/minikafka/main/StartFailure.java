package io.minikafka.main;

import io.minikafka.app.ConfigProblems;
import io.minikafka.app.HttpAddress;
import io.minikafka.app.StartRefused;
import io.smallrye.config.ConfigValidationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import picocli.CommandLine.ExitCode;

/** Why the service did not start: one line for what an operator can mend, else all we know. */
record StartFailure(int exitCode, String reason) {
  static StartFailure of(Throwable failure, Path dataDir) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConfigValidationException wrong) {
        return new StartFailure(ExitCode.USAGE, String.join("; ", ConfigProblems.inWords(wrong)));
      }
      if (cause instanceof StartRefused) {
        return new StartFailure(ExitCode.SOFTWARE, String.valueOf(cause.getMessage()));
      }
      if (cause instanceof IOException unopened && isOfTheHttpServer(failure)) {
        return new StartFailure(ExitCode.SOFTWARE, httpAddress().refused(unopened, dataDir));
      }
    }
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace, true));
    return new StartFailure(ExitCode.SOFTWARE, trace.toString());
  }

  /** Says it and passes the exit code on. */
  int tell(Consumer<String> out) {
    out.accept(reason);
    return exitCode;
  }

  private static boolean isOfTheHttpServer(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).startsWith("Unable to start HTTP server")) {
        return true;
      }
    }
    return false;
  }

  /** As it was asked for. */
  private static HttpAddress httpAddress() {
    Config config = ConfigProvider.getConfig();
    return new HttpAddress(
        config.getValue("quarkus.http.host", String.class),
        config.getValue("quarkus.http.port", Integer.class));
  }
}
