package io.minikafka.ladder.example.client;

import io.minikafka.ladder.example.log.ReadsClocks;

class ImportsLog {
  ReadsClocks log = new ReadsClocks();
}
