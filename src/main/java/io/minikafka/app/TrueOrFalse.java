package io.minikafka.app;

import java.util.Locale;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * What a setting that is either true or false may be. The configuration library's own converter
 * takes every word it does not know for false. Stateless; made by the library.
 */
public final class TrueOrFalse implements Converter<Boolean> {
  private static final long serialVersionUID = 1;

  @Override
  public Boolean convert(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default -> throw new IllegalArgumentException("allowed values: true,false");
    };
  }
}
