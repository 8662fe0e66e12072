package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;
import java.util.List;

/**
 * API 11. Who is there, and what each side can do. Version 1 is frozen for ever: a server that does
 * not know it answers UNKNOWN_API, and the client then speaks version 0.
 */
public final class Hello {
  /**
   * @param client the client's name for itself
   * @param version the client's version
   */
  public record Request(String client, String version) {}

  /**
   * @param maxFrame largest frame the server takes, bytes
   * @param mechanisms for Authenticate, if required
   */
  public record Response(
      String clusterId,
      String serverVersion,
      int node,
      int maxFrame,
      boolean authRequired,
      List<String> mechanisms,
      List<ApiVersions> apis) {}

  public record ApiVersions(int api, int min, int max) {}

  public static final Call<Request, Response> V1 =
      new Call<>(
          Api.HELLO,
          1,
          Messages.of(
              Request::new,
              field("client", Codecs.STR, Request::client),
              field("version", Codecs.STR, Request::version)),
          Messages.of(
              Response::new,
              field("clusterId", Codecs.STR, Response::clusterId),
              field("serverVersion", Codecs.STR, Response::serverVersion),
              field("node", Codecs.U32, Response::node),
              field("maxFrame", Codecs.U32, Response::maxFrame),
              field("authRequired", Codecs.BOOL, Response::authRequired),
              field("mechanisms", Codecs.list(Codecs.STR), Response::mechanisms),
              field(
                  "apis",
                  Codecs.list(
                      Messages.of(
                          ApiVersions::new,
                          field("api", Codecs.U8, ApiVersions::api),
                          field("min", Codecs.U8, ApiVersions::min),
                          field("max", Codecs.U8, ApiVersions::max))),
                  Response::apis)));

  private Hello() {}
}
