package io.minikafka.ladder;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.BaseStream;

/** Calls that read a clock or make a thread; both must come in through the constructor. */
final class ForbiddenCalls {
  private static final String CONSTRUCTOR = "<init>";

  /** Methods by the class that declares them. */
  private static final Map<String, Set<String>> METHODS =
      Map.ofEntries(
          Map.entry("java.lang.System", Set.of("currentTimeMillis", "nanoTime")),
          Map.entry("java.time.InstantSource", Set.of("system")),
          Map.entry("java.util.Date", Set.of(CONSTRUCTOR)),
          Map.entry("java.util.Calendar", Set.of("getInstance")),
          Map.entry("java.util.GregorianCalendar", Set.of(CONSTRUCTOR)),
          Map.entry("java.util.Timer", Set.of(CONSTRUCTOR)),
          Map.entry(
              "java.lang.Thread",
              Set.of(
                  CONSTRUCTOR, "start", "sleep", "ofPlatform", "ofVirtual", "startVirtualThread")),
          Map.entry(
              "java.util.concurrent.CompletableFuture",
              Set.of("orTimeout", "completeOnTimeout", "delayedExecutor", "defaultExecutor")));

  private ForbiddenCalls() {}

  /** What a class calls, or passes on by reference, with the place. */
  static List<String> madeBy(JavaClass from) {
    return from.getCodeUnitAccessesFromSelf().stream()
        .filter(ForbiddenCalls::isForbidden)
        .map(access -> describe(access.getTarget()) + " " + access.getSourceCodeLocation())
        .toList();
  }

  private static String describe(CodeUnitAccessTarget target) {
    return target.getOwner().getSimpleName() + "." + target.getName();
  }

  private static boolean isForbidden(JavaCodeUnitAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String method = access.getTarget().getName();
    return METHODS.getOrDefault(owner.getName(), Set.of()).contains(method)
        || readsAClock(owner, method)
        || makesAThread(owner, method)
        || (owner.isAssignableTo(BaseStream.class) && method.equals("parallel"))
        || method.equals("parallelStream")
        || runsOnTheCommonPool(access.getTarget());
  }

  private static boolean readsAClock(JavaClass owner, String method) {
    return owner.getPackageName().equals("java.time")
        && (method.equals("now")
            || (owner.isEquivalentTo(Clock.class)
                && (method.startsWith("system") || method.startsWith("tick"))));
  }

  private static boolean makesAThread(JavaClass owner, String method) {
    if (owner.getName().equals("java.util.concurrent.Executors")) {
      return !method.equals("callable");
    }
    boolean makes =
        owner.isAssignableTo(Thread.class)
            || owner.isAssignableTo(ThreadPoolExecutor.class)
            || owner.isAssignableTo(ForkJoinPool.class);
    return makes && (method.equals(CONSTRUCTOR) || method.equals("commonPool"));
  }

  /** An Async method that is given no executor. */
  private static boolean runsOnTheCommonPool(CodeUnitAccessTarget target) {
    return target.getOwner().isAssignableTo(CompletionStage.class)
        && target.getName().endsWith("Async")
        && target.getRawParameterTypes().stream()
            .noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
  }
}
