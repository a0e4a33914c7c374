package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotSet;

/**
 * One atomic slot migration as one of its two ends tells it: an entry of {@code CLUSTER GETSLOTMIGRATIONS}, server 9.0 and
 * later. Ended ones stay listed for a while.
 *
 * @param outgoing whether the node that tells it is the source
 * @param slots that move
 * @param source who has them
 * @param target who is to get them
 * @param active whether it has not ended
 * @param state in the server's own words: {@code success}, {@code failed}, {@code cancelled}, or a step of one under way
 * @param message why it failed, in the server's words; may be empty
 */
public record SlotMigration(
        boolean outgoing, SlotSet slots, NodeId source, NodeId target, boolean active, String state, String message) {}
