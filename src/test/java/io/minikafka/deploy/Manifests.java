package io.minikafka.deploy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Reads Kubernetes manifests strictly: a kind or a field that does not exist is a problem, as is a
 * file that no kustomization uses.
 *
 * <p>The client's model takes any field and puts those it does not know into a map of its own; this
 * walks the model and collects those maps.
 */
final class Manifests {
  private static final String KUSTOMIZATION = "kustomization.yaml";
  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

  /** The fields of a kustomization that are used here; a longer list would hide misspellings. */
  private static final Set<String> KUSTOMIZATION_FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "namespace",
          "labels",
          "resources",
          "patches",
          "images",
          "configMapGenerator");

  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private Manifests() {}

  /** One line for each problem in any file below a directory. */
  static List<String> problemsBelow(Path directory) throws IOException {
    List<String> problems = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> below = Files.walk(directory)) {
      files = below.filter(Files::isRegularFile).sorted().toList();
    }
    if (files.isEmpty()) {
      problems.add(directory + ": holds no file");
    }
    for (Path file : files) {
      String name = directory.relativize(file) + ": ";
      String text = Files.readString(file);
      List<String> found =
          file.endsWith(KUSTOMIZATION) ? kustomizationProblems(file, text) : problems(text);
      found.forEach(problem -> problems.add(name + problem));
    }
    return problems;
  }

  /** The resources in the documents of one text. */
  static List<HasMetadata> resources(String yaml) {
    Object parsed = SERIALIZATION.unmarshal(yaml);
    Collection<?> all = parsed instanceof Collection<?> many ? many : List.of(parsed);
    return all.stream().map(HasMetadata.class::cast).toList();
  }

  /** One line for each problem in the documents of one text. */
  static List<String> problems(String yaml) {
    List<String> problems = new ArrayList<>();
    try {
      for (HasMetadata resource : resources(yaml)) {
        String kind = resource.getKind();
        if (resource instanceof GenericKubernetesResource) {
          problems.add(resource.getApiVersion() + " " + kind + " is no kind");
        } else {
          unknownFields(kind, resource, problems);
        }
      }
    } catch (RuntimeException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    return problems;
  }

  private static List<String> kustomizationProblems(Path file, String text) throws IOException {
    List<String> problems = new ArrayList<>();
    Map<?, ?> fields = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    for (Object field : fields.keySet()) {
      if (!KUSTOMIZATION_FIELDS.contains(String.valueOf(field))) {
        problems.add("Kustomization." + field);
      }
    }
    Path directory = file.resolveSibling("");
    List<Path> used = new ArrayList<>(List.of(file.normalize()));
    if (fields.get("resources") instanceof Collection<?> resources) {
      resources.forEach(name -> used.add(directory.resolve(name.toString()).normalize()));
    }
    if (fields.get("patches") instanceof Collection<?> patches) {
      for (Object patch : patches) {
        if (patch instanceof Map<?, ?> map && map.get("path") instanceof String path) {
          used.add(directory.resolve(path).normalize());
        }
      }
    }
    used.stream()
        .filter(Files::notExists)
        .forEach(missing -> problems.add(missing.getFileName() + " is missing"));
    try (Stream<Path> beside = Files.list(directory)) {
      beside
          .filter(Files::isRegularFile)
          .map(Path::normalize)
          .filter(other -> !used.contains(other))
          .forEach(other -> problems.add(other.getFileName() + " is not used"));
    }
    return problems;
  }

  private static void unknownFields(String path, @Nullable Object value, List<String> problems) {
    switch (value) {
      case null -> {}
      case Collection<?> items -> {
        int index = 0;
        for (Object item : items) {
          unknownFields(path + "[" + index++ + "]", item, problems);
        }
      }
      case Map<?, ?> map ->
          map.forEach((key, item) -> unknownFields(path + "." + key, item, problems));
      default -> {
        if (value.getClass().getName().startsWith(MODEL)) {
          unknownFieldsOfModel(path, value, problems);
        }
      }
    }
  }

  private static void unknownFieldsOfModel(String path, Object model, List<String> problems) {
    for (Field field : model.getClass().getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      Object value;
      try {
        field.setAccessible(true);
        value = field.get(model);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
      if (field.getName().equals("additionalProperties")) {
        ((Map<?, ?>) value).keySet().forEach(unknown -> problems.add(path + "." + unknown));
      } else {
        unknownFields(path + "." + field.getName(), value, problems);
      }
    }
  }

  /** Directories that hold a kustomization. */
  static List<Path> kustomizations(Path directory) {
    try (Stream<Path> below = Files.walk(directory)) {
      return below
          .filter(file -> file.endsWith(KUSTOMIZATION))
          .map(file -> file.resolveSibling(""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
