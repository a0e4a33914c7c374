package com.gomomento.valkey.operator.sim.valkey;

import java.util.Optional;
import java.util.OptionalLong;

/** How one server answers clients that read and write keys. */
final class ClientPort {

    private final Server server;
    private final Table table;

    ClientPort(Server server) {
        this.server = server;
        this.table = server.table();
    }

    Reply write(int slot, int key, long version, boolean asking) {
        long name = Dataset.name(slot, key);
        Optional<Reply> redirection = elsewhere(slot, name, asking);
        if (redirection.isPresent()) {
            return redirection.get();
        }
        if (server.pausesWrites()) {
            return Reply.PAUSED;
        }
        server.replication().change(name, OptionalLong.of(version));
        return Reply.OK;
    }

    Reply read(int slot, int key, boolean asking) {
        long name = Dataset.name(slot, key);
        return elsewhere(slot, name, asking)
                .orElseGet(() -> Reply.value(server.data().get(name).orElse(0)));
    }

    /** What keeps this server from answering about a key, if anything does. */
    private Optional<Reply> elsewhere(int slot, long name, boolean asking) {
        Optional<Peer> owner = table.owner(slot);
        if (owner.isEmpty()) {
            return Optional.of(Reply.down("Hash slot not served"));
        }
        if (!server.clusterOk()) {
            return Optional.of(Reply.down("The cluster is down"));
        }
        boolean mine = owner.get() == table.self;
        if (mine && table.migrating.containsKey(slot) && server.data().get(name).isEmpty()) {
            return table.find(table.migrating.get(slot)).map(target -> Reply.ask(slot, target.ip));
        }
        boolean imports = table.self.isPrimary() && table.importing.containsKey(slot);
        if (mine || (imports && asking)) {
            return Optional.empty();
        }
        return Optional.of(Reply.moved(slot, owner.get().ip));
    }
}
