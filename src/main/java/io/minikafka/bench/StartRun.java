package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How long a broker takes from its launch until it is ready, on an empty directory: the program as
 * it was packaged, and beside it a peer, in alternation. Stateless.
 */
final class StartRun {
  private StartRun() {}

  /** One start. */
  private record Start(double readyMs, double cpuMs, double residentMb) {}

  static List<Row.Builder> measure(Point.Start point, Programs programs, boolean warmUp)
      throws IOException, InterruptedException {
    List<Start> own = new ArrayList<>();
    List<Start> peers = new ArrayList<>();
    Optional<OwnBroker.Command> peer = programs.peer();
    int discarded = warmUp ? 1 : 0;
    for (int i = 0; i < point.starts() + discarded; i++) {
      Start start = start(programs, programs.broker());
      Optional<Start> other =
          peer.isPresent() ? Optional.of(start(programs, peer.get())) : Optional.empty();
      // The first of each finds its files in no cache.
      if (i >= discarded) {
        own.add(start);
        other.ifPresent(peers::add);
      }
    }
    List<Row.Builder> rows = new ArrayList<>();
    if (peer.isPresent()) {
      rows.add(row(point, programs.variant(peer.get()), peers));
    }
    Row.Builder ours = row(point, programs.variant(programs.broker()), own);
    if (peer.isPresent()) {
      ours.measured(
          Column.PEER_RATIO,
          spread(own, Start::readyMs).median() / spread(peers, Start::readyMs).median());
    }
    rows.add(ours);
    return rows;
  }

  private static Start start(Programs programs, OwnBroker.Command command)
      throws IOException, InterruptedException {
    try (OwnBroker broker = OwnBroker.start(command, programs.parent(), programs.log())) {
      return new Start(
          broker.readyNanos() / 1e6,
          broker.readyCpuNanos().orElse(Double.NaN) / 1e6,
          new LinuxProcess(broker.pid()).residentBytes().orElse(Double.NaN) / 1e6);
    }
  }

  private static Spread spread(List<Start> starts, ToDoubleFunction<Start> figure) {
    return Spread.of(starts.stream().mapToDouble(figure).toArray());
  }

  private static Row.Builder row(Point.Start point, String variant, List<Start> starts) {
    return point
        .row()
        .text(Column.VARIANT, variant)
        .count(Column.REPS, starts.size())
        .measured(Column.READY_MS, spread(starts, Start::readyMs).median())
        .measured(Column.READY_MS_MIN, spread(starts, Start::readyMs).min())
        .measured(Column.READY_CPU_MS, spread(starts, Start::cpuMs).median())
        .measured(Column.BROKER_RSS_MB, spread(starts, Start::residentMb).median());
  }
}
