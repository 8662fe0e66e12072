/**
 * The control plane: gRPC services that translate and decide nothing.
 *
 * <p>Doors: {@link io.minikafka.admin.BrokerAccess} (the application gives one, so that calls find
 * the broker when it is there) and the services themselves, which the container finds. Called by
 * gRPC on event loops: what touches the disk or walks long lists is done by workers.
 */
@NullMarked
package io.minikafka.admin;

import org.jspecify.annotations.NullMarked;
