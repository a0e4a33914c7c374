package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A write to Kubernetes. Every object that is made is owned by the cluster's UID; every delete carries the object's UID. */
public sealed interface KubernetesAction extends Action {

    /** Make or repair the headless Service. */
    record ApplyService() implements KubernetesAction {
        @Override
        public String key() {
            return "apply Service";
        }
    }

    /** Make or repair the ConfigMap that holds {@code valkey.conf}. */
    record ApplyServerConfig(String content) implements KubernetesAction {
        /** Refuses an empty file. */
        public ApplyServerConfig {
            Check.notBlank("valkey.conf", content);
        }

        @Override
        public String key() {
            return "apply ConfigMap";
        }
    }

    /** Make the Secret with random passwords of the internal users. Never overwrites one that is whole. */
    record CreateCredentials() implements KubernetesAction {
        @Override
        public String key() {
            return "create credentials Secret";
        }
    }

    /** Make or repair the Secret that pods mount. */
    record ApplyAclFile(AclFile content) implements KubernetesAction {
        @Override
        public String key() {
            return "apply ACL Secret";
        }
    }

    /** Make or repair the PodDisruptionBudget. */
    record ApplyDisruptionBudget(int minAvailable) implements KubernetesAction {
        /** Refuses a negative number. */
        public ApplyDisruptionBudget {
            Check.atLeast("minAvailable", 0, minAvailable);
        }

        @Override
        public String key() {
            return "apply PodDisruptionBudget";
        }
    }

    /**
     * Write down a member and start its pod: the ValkeyNode first, as the record of the intention, then the Pod of the same
     * name. Names are derived from what the member replaces, so whoever decides twice, or on an old view, meets its own
     * first attempt and creates nothing twice.
     *
     * @param name of both
     * @param shard that it belongs to
     * @param ordinal its seat in the shard
     * @param replaces whose seat it takes over
     * @param spec what the pod is made from; its directives are those that {@code valkey.conf} holds
     * @param template fingerprint of the inputs, for the pod's annotation
     * @param aclFile fingerprint of the ACL file that the pod will read, for its annotation
     */
    record CreateMember(
            NodeName name,
            ShardId shard,
            int ordinal,
            Optional<NodeName> replaces,
            ClusterSpec spec,
            Fingerprint template,
            Fingerprint aclFile)
            implements KubernetesAction {
        /** The labels that its Pod begins with. */
        public SortedMap<String, String> labels() {
            return Markers.labels(spec.key(), shard, name);
        }

        /** The annotations that its Pod begins with: the user's own, which the operator's bookkeeping overrules. */
        public SortedMap<String, String> annotations() {
            SortedMap<String, String> annotations = new TreeMap<>(spec.podAnnotations());
            annotations.put(Markers.TEMPLATE, template.hex());
            annotations.put(Markers.DIRECTIVES, ServerConfig.directives(spec));
            annotations.put(Markers.ACCESS, aclFile.hex());
            return annotations;
        }

        /** Its ValkeyNode, once Kubernetes has given it this UID. */
        public NodeRecord record(String uid) {
            return new NodeRecord(name, uid, false, shard, ordinal, replaces, NodeRecord.Status.NEW);
        }

        @Override
        public String key() {
            return "create member " + name;
        }
    }

    /**
     * Delete a pod, if it still has this UID.
     *
     * @param graceSeconds how long its process may take to end, 0 or more
     */
    record DeletePod(NodeName name, String uid, int graceSeconds) implements KubernetesAction {
        /** Checks the UID. */
        public DeletePod {
            Check.notBlank("uid", uid);
            Check.atLeast("graceSeconds", 0, graceSeconds);
        }

        @Override
        public String key() {
            return "delete Pod " + name;
        }
    }

    /** Delete a ValkeyNode, if it still has this UID. */
    record DeleteRecord(NodeName name, String uid) implements KubernetesAction {
        /** Checks the UID. */
        public DeleteRecord {
            Check.notBlank("uid", uid);
        }

        @Override
        public String key() {
            return "delete ValkeyNode " + name;
        }
    }

    /**
     * Set labels and annotations on a living pod, leaving all others as they are.
     *
     * @param labels to set
     * @param annotations to set
     */
    record MarkPod(NodeName name, String uid, SortedMap<String, String> labels, SortedMap<String, String> annotations)
            implements KubernetesAction {
        /** Copies its maps. */
        public MarkPod {
            Check.notBlank("uid", uid);
            labels = Check.sortedCopy(labels);
            annotations = Check.sortedCopy(annotations);
        }

        @Override
        public String key() {
            return "mark Pod " + name;
        }
    }

    /** Write a ValkeyNode's status, utilization aside. */
    record WriteRecordStatus(NodeName name, String uid, NodeRecord.Status status) implements KubernetesAction {
        /** Checks the UID. */
        public WriteRecordStatus {
            Check.notBlank("uid", uid);
        }

        @Override
        public String key() {
            return "write status of ValkeyNode " + name;
        }
    }

    /**
     * Write {@code status.formedAt}: from now on this cluster counts as one that may hold data (invariant S17). Done before
     * the first slot is claimed. Never moves an earlier time.
     */
    record MarkFormed() implements KubernetesAction {
        @Override
        public String key() {
            return "mark formed";
        }
    }
}
