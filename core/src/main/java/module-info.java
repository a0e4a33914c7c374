/**
 * The pure domain of the Valkey operator: it decides, and touches nothing. Requires {@code java.base} alone, which the
 * compiler enforces through this descriptor.
 */
module com.gomomento.valkey.operator.core {
    exports com.gomomento.valkey.operator.core.declare;
    exports com.gomomento.valkey.operator.core.model;
    exports com.gomomento.valkey.operator.core.observe;
    exports com.gomomento.valkey.operator.core.plan;
    exports com.gomomento.valkey.operator.core.port;
    exports com.gomomento.valkey.operator.core.reconcile;
}
