package io.minikafka.client;

/** An open connection and what was learnt from the greeting. */
record Session(Connection connection, Dialect dialect, ServerDescription server) {}
