package io.minikafka.ladder.example.partition;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class MakesThreads {
  Thread thread() {
    return new Thread(() -> {});
  }

  Thread virtual() {
    return Thread.ofVirtual().unstarted(() -> {});
  }

  ExecutorService pool() {
    return Executors.newCachedThreadPool();
  }

  Future<Integer> common(CompletableFuture<Integer> future) {
    return future.thenApplyAsync(n -> n + 1);
  }

  Future<Integer> given(CompletableFuture<Integer> future, Executor executor) {
    return future.thenApplyAsync(n -> n + 1, executor);
  }
}
