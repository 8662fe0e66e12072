package io.minikafka.deploy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What kustomize makes of each directory is whole; skipped where there is no kubectl. */
class KustomizeTest {
  private static final int LIMIT_S = 60;

  @TempDir Path dir;

  static List<Path> kustomizations() {
    return Manifests.kustomizations(Path.of("deploy/k8s"));
  }

  @ParameterizedTest
  @MethodSource("kustomizations")
  void isBuiltAndStrictlyValid(Path directory) throws Exception {
    assertEquals(List.of(), Manifests.problems(build(directory)));
  }

  @ParameterizedTest
  @MethodSource("kustomizations")
  void servicesSelectThePodsOfTheStatefulSet(Path directory) throws Exception {
    List<HasMetadata> resources = Manifests.resources(build(directory));
    StatefulSet set = only(StatefulSet.class, resources).getFirst();
    Map<String, String> labels = set.getSpec().getTemplate().getMetadata().getLabels();
    List<Service> services = only(Service.class, resources);
    assertFalse(services.isEmpty());
    for (Service service : services) {
      Map<String, String> selector = service.getSpec().getSelector();
      assertFalse(selector.isEmpty());
      assertTrue(labels.entrySet().containsAll(selector.entrySet()), service::toString);
    }
    assertEquals(set.getSpec().getSelector().getMatchLabels(), labels);
  }

  private static <T> List<T> only(Class<T> type, List<HasMetadata> resources) {
    return resources.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private String build(Path directory) throws IOException, InterruptedException {
    boolean present =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
    if (!present) {
      System.out.println("KustomizeTest skipped for " + directory + ": no kubectl on the PATH");
    }
    assumeTrue(present, "no kubectl on the PATH");
    Path out = dir.resolve("out.yaml");
    Path err = dir.resolve("err.txt");
    Process process =
        new ProcessBuilder("kubectl", "kustomize", directory.toString())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(LIMIT_S, SECONDS)) {
      process.destroyForcibly();
      throw new IOException("kubectl has not ended after " + LIMIT_S + " s");
    }
    assertEquals("", Files.readString(err, StandardCharsets.UTF_8));
    assertEquals(0, process.exitValue());
    return Files.readString(out, StandardCharsets.UTF_8);
  }
}
