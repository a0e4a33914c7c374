package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Optional;

/** What runs inside of pods. */
public interface Containers {

    /**
     * Starts the server of a pod.
     *
     * @param ip address of the pod
     * @param pod whose server it is
     * @param serverConfig {@code valkey.conf} as it is mounted
     * @return how it ended, if it can't run at all
     */
    Optional<PodView.Exit> start(String ip, Stored pod, String serverConfig);

    /** Ends the process at an address for good; its memory is lost. */
    void stop(String ip);
}
