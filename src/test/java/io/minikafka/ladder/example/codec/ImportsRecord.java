package io.minikafka.ladder.example.codec;

import io.minikafka.ladder.example.record.Entry;

interface ImportsRecord extends Entry {}
