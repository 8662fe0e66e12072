package io.minikafka.protocol;

import io.minikafka.codec.Codec;

/**
 * An API in one version.
 *
 * @param <Q> its request
 * @param <R> its response, when the error is 0
 */
public record Call<Q, R>(Api api, int version, Codec<Q> request, Codec<R> response) {
  @Override
  public String toString() {
    return api + " v" + version;
  }
}
