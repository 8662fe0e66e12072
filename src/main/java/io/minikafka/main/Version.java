package io.minikafka.main;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version the build wrote, and the Java it runs on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IOException("version.properties is missing from the build");
      }
      properties.load(in);
    }
    return new String[] {
      "minikafka " + properties.getProperty("version"), "Java " + Runtime.version()
    };
  }
}
