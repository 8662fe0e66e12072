package io.minikafka.cli;

import java.util.concurrent.Callable;

/** A command that changes something, unless it is told {@code --dry-run}. */
interface Change extends Callable<Integer> {}
