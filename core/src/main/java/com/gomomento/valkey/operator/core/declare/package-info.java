/**
 * What users declared, as they wrote it, and how it resolves to one effective {@link
 * com.gomomento.valkey.operator.core.model.ClusterSpec} or to a sentence that says why it can't. Nothing that was
 * observed of running nodes may be used here.
 */
package com.gomomento.valkey.operator.core.declare;
