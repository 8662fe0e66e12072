package io.minikafka.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.minikafka.app.BrokerSettings;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestsTest {
  private static final Path DIRECTORY = Path.of("deploy/k8s");

  /** Maven has put its version there. */
  private static final Path VERSION =
      Path.of("target/classes/io/minikafka/main/version.properties");

  @TempDir Path dir;

  @Test
  void everyFileHoldsOnlyKindsAndFieldsThatExist() throws IOException {
    assertEquals(List.of(), Manifests.problemsBelow(DIRECTORY));
  }

  @Test
  void misspeltFieldIsFoundWhereverItStands() throws IOException {
    String broken =
        Files.readString(DIRECTORY.resolve("base/statefulset.yaml"))
            .replace("replicas:", "replicsa:")
            .replace("failureThreshold: 300", "failureTreshold: 300")
            .replace("storage: 10Gi", "storage: 10Gi\n        limts: {}");
    assertEquals(
        List.of(
            "StatefulSet.spec.template.spec.containers[0].startupProbe.failureTreshold",
            "StatefulSet.spec.volumeClaimTemplates[0].spec.limts",
            "StatefulSet.spec.replicsa"),
        Manifests.problems(broken));
  }

  @Test
  void wordForANumberIsFound() {
    List<String> problems =
        Manifests.problems("apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: one}\n");
    assertEquals(1, problems.size(), problems::toString);
  }

  @Test
  void unknownKindIsFound() {
    assertEquals(
        List.of("apps/v1 StatfulSet is no kind"),
        Manifests.problems("apiVersion: apps/v1\nkind: StatfulSet\nmetadata: {name: x}\n"));
  }

  @Test
  void kustomizationThatNamesAMissingFileOrLeavesOneOutIsFound() throws IOException {
    Files.writeString(dir.resolve("kustomization.yaml"), "resorces: []\nresources: [gone.yaml]\n");
    Files.writeString(dir.resolve("left.yaml"), "apiVersion: v1\nkind: Service\n");
    assertEquals(
        List.of(
            "kustomization.yaml: Kustomization.resorces",
            "kustomization.yaml: gone.yaml is missing",
            "kustomization.yaml: left.yaml is not used"),
        Manifests.problemsBelow(dir));
  }

  @Test
  void probesAskPortsThatAreOpenAndWindowsThatExist() throws IOException {
    Container container =
        statefulSet().getSpec().getTemplate().getSpec().getContainers().getFirst();
    List<String> ports = container.getPorts().stream().map(ContainerPort::getName).toList();
    for (Probe probe :
        List.of(
            container.getStartupProbe(),
            container.getReadinessProbe(),
            container.getLivenessProbe())) {
      assertTrue(ports.contains(probe.getHttpGet().getPort().getStrVal()), probe::toString);
      assertTrue(probe.getHttpGet().getPath().startsWith("/q/health/"), probe::toString);
    }
  }

  @Test
  void theBrokerIsGivenTheTimeItMayTakeToStop() throws IOException {
    BrokerSettings settings =
        new SmallRyeConfigBuilder()
            .withMapping(BrokerSettings.class)
            .withConverter(Path.class, 100, Path::of)
            .build()
            .getConfigMapping(BrokerSettings.class);
    PodSpec pod = statefulSet().getSpec().getTemplate().getSpec();
    Duration delay =
        pod.getContainers().getFirst().getEnv().stream()
            .filter(variable -> variable.getName().equals("MINIKAFKA_SHUTDOWN_DELAY_MS"))
            .map(EnvVar::getValue)
            .map(value -> Duration.ofMillis(Long.parseLong(value)))
            .findFirst()
            .orElseThrow();
    long needsMs =
        delay.toMillis()
            + httpTimeout().toMillis()
            + settings.shutdown().drainTimeoutMs()
            + settings.shutdown().flushTimeoutMs();
    long hasMs = pod.getTerminationGracePeriodSeconds() * 1000;
    assertTrue(hasMs > needsMs, () -> "needs " + needsMs + " ms, has " + hasMs);
  }

  @Test
  void theImageHasTheVersionOfTheBuild() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Files.newInputStream(VERSION)) {
      build.load(in);
    }
    PodSpec pod = statefulSet().getSpec().getTemplate().getSpec();
    assertEquals(
        "minikafka:" + build.getProperty("version"), pod.getContainers().getFirst().getImage());
  }

  private static Duration httpTimeout() throws IOException {
    return Files.readAllLines(Path.of("src/main/resources/application.properties")).stream()
        .filter(line -> line.startsWith("quarkus.shutdown.timeout="))
        .map(line -> Duration.parse("PT" + line.substring(line.indexOf('=') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static StatefulSet statefulSet() throws IOException {
    String yaml = Files.readString(DIRECTORY.resolve("base/statefulset.yaml"));
    return (StatefulSet) Manifests.resources(yaml).getFirst();
  }
}
