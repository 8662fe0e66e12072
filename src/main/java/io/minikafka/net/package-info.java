/**
 * The data port: frames in, frames out, records by sendfile, and back-pressure both ways.
 *
 * <p>Doors: {@link io.minikafka.net.DataServer} (listens and stops), {@link
 * io.minikafka.net.NetSettings} (its bounds), {@link io.minikafka.net.NetMemory} (the memory of all
 * connections together, which the broker borrows from). Beside it, the bounds of the connections of
 * the HTTP port, which something else serves: {@link io.minikafka.net.HttpBounds} (puts them in
 * place), {@link io.minikafka.net.HttpConnections}, {@link io.minikafka.net.HttpSettings}. Called
 * by app.
 *
 * <p>Threads: each connection lives on one event loop and is touched by nothing else; answers that
 * come from elsewhere are queued to it. Nothing here blocks, except that a file slice which is not
 * sent by sendfile is read from the page cache.
 */
@NullMarked
package io.minikafka.net;

import org.jspecify.annotations.NullMarked;
