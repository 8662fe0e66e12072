package io.minikafka.cli;

import io.minikafka.bench.Axes;
import io.minikafka.bench.Bench;
import io.minikafka.bench.Conditions;
import io.minikafka.bench.Effort;
import io.minikafka.bench.Experiment;
import io.minikafka.bench.HistogramFile;
import io.minikafka.bench.Plan;
import io.minikafka.bench.Programs;
import io.minikafka.bench.Revision;
import io.minikafka.bench.RowFile;
import io.minikafka.bench.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What the commands that measure do: plan, find or start a broker, measure, tell where rows are.
 */
abstract class BenchRun implements Callable<Integer> {
  @Mixin BenchOptions options;
  @Spec CommandSpec spec;

  BenchRun() {}

  /** What is measured, in this order. */
  abstract List<Experiment> experiments();

  /** What the options say of the axes. */
  Axes given() {
    return Experiment.nothing();
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Effort effort = options.effort(spec);
    Plan plan = plan();
    InstantSource clock = InstantSource.system();
    Conditions conditions =
        Conditions.of(
            clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(), effort, revision());
    BenchOutput.Summary summary;
    try (RowFile rows = RowFile.open(options.out);
        HistogramFile samples = HistogramFile.open(options.out);
        BenchTarget target = BenchTarget.of(plan, options, spec)) {
      BenchOutput output = new BenchOutput(spec.commandLine().getErr(), rows, samples, clock);
      Optional<Target> broker = target.target();
      Optional<Programs> programs = target.programs();
      new Bench(effort, conditions, clock, broker, programs, options.dataDir(), output)
          .run(plan.points());
      summary = output.end();
    }
    plan.leftOut().forEach(point -> spec.commandLine().getErr().println("left out: " + point));
    spec.commandLine().getErr().println(summary.inWords(options.out));
    return 0;
  }

  /** What is measured of one of them. */
  Plan plan(Experiment experiment) {
    Axes all = options.quick ? experiment.quick() : experiment.full();
    return Plan.of(experiment, all.or(given()), options.quick);
  }

  private Plan plan() {
    List<Plan> plans = new ArrayList<>();
    try {
      for (Experiment experiment : experiments()) {
        plans.add(plan(experiment));
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
    Plan plan = Plan.together(plans);
    if (plan.points().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "nothing is left to be measured: " + plan.leftOut().getFirst());
    }
    return plan;
  }

  private String revision() {
    if (options.revision != null) {
      return options.revision;
    }
    return Revision.at(ProgramFile.find().map(Path::getParent).orElse(Path.of(".")));
  }
}
