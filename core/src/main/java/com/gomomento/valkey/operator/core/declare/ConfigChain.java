package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A ValkeyConfig merged over all that it inherits from. The nearer one wins, directive by directive; each value keeps the
 * name of the ValkeyConfig that it came from, so that a refusal can point there.
 *
 * @param names the ValkeyConfigs, nearest first
 * @param imageRef nearest one
 * @param cpu nearest one
 * @param memory nearest one
 * @param directives merged, by lower-case name: the server reads names in any case
 */
record ConfigChain(
        List<String> names,
        Optional<Sourced> imageRef,
        Optional<Sourced> cpu,
        Optional<Sourced> memory,
        SortedMap<String, Sourced> directives) {

    ConfigChain {
        names = List.copyOf(names);
        directives = Check.sortedCopy(directives);
    }

    /** A value and the ValkeyConfig that it stands in. */
    record Sourced(String value, String config) {}

    /** Follows {@code configRef} and every {@code baseRef} after it; empty, with the problem told, if a link is bad. */
    static Optional<ConfigChain> follow(String configRef, Catalog catalog, Problems problems) {
        LinkedHashMap<String, Catalog.Config> chain = new LinkedHashMap<>();
        Optional<String> next = Optional.of(configRef);
        String referrer = "spec.configRef";
        while (next.isPresent()) {
            String name = next.get();
            if (chain.containsKey(name)) {
                problems.add("ValkeyConfigs inherit from each other in a loop: "
                        + loop(new ArrayList<>(chain.keySet()), name));
                return Optional.empty();
            }
            Catalog.Entry<Catalog.Config> entry = catalog.configs().get(name);
            switch (entry) {
                case null -> {
                    problems.add(referrer + " is '" + name + "', and there is no ValkeyConfig of that name");
                    return Optional.empty();
                }
                case Catalog.Unusable<Catalog.Config>(String reason) -> {
                    problems.add("ValkeyConfig '" + name + "' can't be read: " + reason);
                    return Optional.empty();
                }
                case Catalog.Usable<Catalog.Config>(Catalog.Config config) -> {
                    chain.put(name, config);
                    next = config.baseRef();
                    referrer = "baseRef of ValkeyConfig '" + name + "'";
                }
            }
        }
        return Optional.of(merge(chain, problems));
    }

    private static ConfigChain merge(LinkedHashMap<String, Catalog.Config> chain, Problems problems) {
        TreeMap<String, Sourced> directives = new TreeMap<>();
        chain.reversed().forEach((name, config) -> directives.putAll(ownDirectives(name, config, problems)));
        return new ConfigChain(
                List.copyOf(chain.keySet()),
                nearest(chain, Catalog.Config::imageRef),
                nearest(chain, Catalog.Config::cpu),
                nearest(chain, Catalog.Config::memory),
                directives);
    }

    private static SortedMap<String, Sourced> ownDirectives(String name, Catalog.Config config, Problems problems) {
        TreeMap<String, Sourced> own = new TreeMap<>();
        config.directives().forEach((directive, value) -> {
            String lower = directive.toLowerCase(Locale.ROOT);
            if (own.put(lower, new Sourced(value.strip(), name)) != null) {
                problems.add("directive '" + lower + "' stands twice in ValkeyConfig '" + name
                        + "', in different cases; allowed is once");
            }
        });
        return own;
    }

    private static Optional<Sourced> nearest(
            LinkedHashMap<String, Catalog.Config> chain, Function<Catalog.Config, Optional<String>> field) {
        return chain.entrySet().stream()
                .flatMap(entry ->
                        field.apply(entry.getValue()).map(value -> new Sourced(value, entry.getKey())).stream())
                .findFirst();
    }

    private static String loop(List<String> walked, String again) {
        List<String> loop = new ArrayList<>(walked.subList(walked.indexOf(again), walked.size()));
        loop.add(again);
        return String.join(" -> ", loop);
    }
}
