package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.observe.LoadSample;
import com.gomomento.valkey.operator.core.observe.NodeReport.MemoryUse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the counters of one server. */
final class LoadReader {

    /** What is asked, in one round trip. */
    static final List<List<String>> QUESTIONS = List.of(List.of("INFO", "server", "clients", "memory", "cpu", "stats"));

    private LoadReader() {}

    /** The sample; empty when the server refused or gave something that can't be understood. */
    static Optional<LoadSample> read(List<Reply> replies, Instant takenAt) {
        if (!(replies.getFirst() instanceof Reply.Text text)) {
            return Optional.empty();
        }
        try {
            InfoText info = InfoText.parse("INFO", text.value());
            MemoryUse memory = info.memory();
            return Optional.of(new LoadSample(
                    info.text("run_id"),
                    takenAt,
                    info.count("server_time_usec"),
                    info.decimal("used_cpu_user") + info.decimal("used_cpu_sys"),
                    memory.usedBytes(),
                    memory.maxBytes(),
                    info.count("total_commands_processed"),
                    info.count("connected_clients"),
                    info.count("total_net_input_bytes"),
                    info.count("total_net_output_bytes")));
        } catch (MalformedReply e) {
            return Optional.empty();
        }
    }
}
