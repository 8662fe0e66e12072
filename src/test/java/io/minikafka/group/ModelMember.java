package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.Optional;

/** A process that takes part in the group. The world tells it when it may do something. */
abstract class ModelMember {
  final GroupWorld world;
  Wire wire;
  boolean alive = true;
  boolean paused;

  ModelMember(GroupWorld world) {
    this.world = world;
    this.wire = world.connect(this);
  }

  /** Does one thing, or nothing. {@code calm}: only what is needed to be a good member. */
  abstract void act(boolean calm);

  abstract void receive(Answer answer);

  /** The connection broke; answers on their way are lost. */
  void reconnect() {
    world.abandon(wire);
    wire = world.connect(this);
    reconnected();
  }

  abstract void reconnected();

  /** Whether it would hand out records of the partition now, and commit them. */
  abstract boolean holds(PartitionId partition);

  /** The id by which the broker must know it as the owner of what it holds. */
  abstract String id();

  /** Why it is not at rest; empty if it is. */
  abstract Optional<String> unrest();

  boolean mayAct() {
    return alive && !paused;
  }
}
