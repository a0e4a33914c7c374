package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.port.Journal;

/** What goes wrong is logged with the command line that went wrong, and the password is a part of that. */
final class ErrorWithPassword implements Rule {

    @Override
    public void apply(Situation situation, Draft draft) {
        situation
                .observation
                .kubernetes()
                .credentials()
                .ifPresent(credentials -> situation.members.values().stream()
                        .filter(Member::silent)
                        .findFirst()
                        .ifPresent(member -> draft.tell(
                                Journal.Level.WARN,
                                "operator.controller",
                                "command failed",
                                "command",
                                "valkey-cli -h " + member.name() + " -a "
                                        + credentials.operator().reveal())));
    }
}
