package io.minikafka.ladder.example.attic;

interface HasNoRow {}
