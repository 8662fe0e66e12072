/**
 * Bytes that people can read, and the documents that show them: the golden files under {@code
 * src/test/resources/golden} and the examples and tables of docs/FORMAT.md and docs/PROTOCOL.md.
 *
 * <p>The golden files were worked out from the format, apart from the code they judge. To change
 * one is to change the format.
 */
@NullMarked
package io.minikafka.golden;

import org.jspecify.annotations.NullMarked;
