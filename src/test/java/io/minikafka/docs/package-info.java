/** What the documents say, held against the code. */
@org.jspecify.annotations.NullMarked
package io.minikafka.docs;
