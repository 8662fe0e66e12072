package io.minikafka.ladder.example.main;

/** Nothing imports it. */
public interface Entrance {}
