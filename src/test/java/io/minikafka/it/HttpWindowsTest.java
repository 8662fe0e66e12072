package io.minikafka.it;

import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@QuarkusTest
@ExtendWith(BufferLeaks.class)
class HttpWindowsTest {
  @Test
  void healthAnswersAtTheThreeProbes() {
    when().get("/q/health/live").then().statusCode(200).body("status", is("UP"));
    when().get("/q/health/ready").then().statusCode(200).body("status", is("UP"));
    when().get("/q/health/started").then().statusCode(200).body("status", is("UP"));
  }

  @Test
  void metricsAreInTheFormatOfPrometheus() {
    when().get("/q/metrics").then().statusCode(200).body(containsString("# TYPE jvm_"));
  }
}
