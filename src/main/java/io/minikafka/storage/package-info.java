/**
 * The only package that touches the disk.
 *
 * <p>Doors: {@link io.minikafka.storage.Disk} and {@link io.minikafka.storage.DiskFile} (what the
 * log, the catalog and the lock need of a file system, and nothing more), {@link
 * io.minikafka.storage.LocalDisk} (the real one), {@link io.minikafka.storage.FileSlice} (a range
 * of a file on its way to a socket), {@link io.minikafka.storage.AtomicFile} (replace a small file
 * as a whole). Called by log, topic and net. Every call may block; who must not block hands it to a
 * worker.
 */
@NullMarked
package io.minikafka.storage;

import org.jspecify.annotations.NullMarked;
