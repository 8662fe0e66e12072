package io.minikafka.ladder.example.record;

/** Harmless. */
public interface Entry {}
