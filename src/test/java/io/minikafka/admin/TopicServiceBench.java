package io.minikafka.admin;

import io.minikafka.admin.v1.DeleteRecordsTarget;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.SettingSource;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsRequest;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.topic.Fixtures;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of TopicService share: a client over a real channel, before a broker in memory. */
abstract class TopicServiceBench {
  @Inject FakeBroker broker;

  @TestHTTPResource URI http;

  ControlPlane client;

  @BeforeEach
  void connect() {
    broker.restart();
    client = new ControlPlane(http);
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  TopicServiceDescribeResponse describe(String name) {
    return client.topics.describe(TopicServiceDescribeRequest.newBuilder().setName(name).build());
  }

  void append(String topic, int partition, int records) {
    var live = broker.topic(topic).orElseThrow().partition(partition).orElseThrow();
    for (int i = 0; i < records; i++) {
      Fixtures.append(live);
    }
  }

  static Map<String, String> own(List<Setting> settings) {
    return settings.stream()
        .filter(setting -> setting.getSource() == SettingSource.SETTING_SOURCE_TOPIC)
        .collect(java.util.stream.Collectors.toMap(Setting::getKey, Setting::getValue));
  }

  static TopicServiceDeleteRecordsRequest.Builder deletion(
      String name, long... partitionsAndOffsets) {
    var request = TopicServiceDeleteRecordsRequest.newBuilder().setName(name);
    for (int i = 0; i < partitionsAndOffsets.length; i += 2) {
      request.addTargets(
          DeleteRecordsTarget.newBuilder()
              .setPartition((int) partitionsAndOffsets[i])
              .setBeforeOffset(partitionsAndOffsets[i + 1]));
    }
    return request;
  }

  /** What each of so many threads got that began together. */
  static <T> List<T> together(int threads, Callable<T> work) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  return work.call();
                }));
      }
      start.countDown();
      List<T> outcomes = new ArrayList<>();
      for (Future<T> next : running) {
        outcomes.add(next.get());
      }
      return outcomes;
    }
  }
}
