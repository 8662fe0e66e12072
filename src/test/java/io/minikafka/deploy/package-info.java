/** What deploy/ holds is read as strictly as a cluster would, without a cluster. */
@org.jspecify.annotations.NullMarked
package io.minikafka.deploy;
