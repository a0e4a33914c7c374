/**
 * Log lines in the shape of tracing-subscriber's JSON format, and the {@code RUST_LOG} filter that selects them.
 *
 * <p>Lives here: the filter ({@link com.gomomento.valkey.operator.logging.RustLogFilter}), spans and their scope
 * ({@link com.gomomento.valkey.operator.logging.Spans}), the encoder, and the wiring into slf4j and logback
 * ({@link com.gomomento.valkey.operator.logging.LogSetup}). Usable without the rest of the operator.
 *
 * <p>May not live here: anything that knows Kubernetes, Valkey or the operator, and any other way out than standard
 * output. Types of logback stay out of the public signatures, except in the two classes that logback itself calls.
 */
package com.gomomento.valkey.operator.logging;
