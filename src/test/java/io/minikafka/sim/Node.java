package io.minikafka.sim;

/** What a name of the simulated disk leads to. */
sealed interface Node permits FileImage, DirectoryImage {}
