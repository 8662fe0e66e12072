package io.minikafka.ladder.example.app;

import io.minikafka.ladder.example.main.Entrance;

interface ImportsMain extends Entrance {}
