package com.gomomento.valkey.operator.harness.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands a {@link Scenario} to each test that asks for one, on the one {@link Bench} of the whole run. After the test, no
 * status that was written meanwhile may have contradicted itself, no step of the operator may have ended in an exception, the
 * operator may have lacked no right, and no secret may be seen where it does not belong; a failure prints the timeline.
 */
final class ScenarioExtension implements ParameterResolver, AfterTestExecutionCallback {

    private static final Namespace STORE = Namespace.create(ScenarioExtension.class);
    private static final int MAX_LABEL = 30;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Scenario.class || type == Bench.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Bench.class ? bench(context) : scenario(context);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Scenario scenario = context.getStore(STORE).get(Scenario.class, Scenario.class);
        if (scenario == null) {
            return;
        }
        List<String> wrong = new ArrayList<>();
        wrong.addAll(scenario.unexpected());
        scenario.bench()
                .audit()
                .takeForbidden()
                .forEach(request -> wrong.add("the operator lacks a right: " + request));
        wrong.addAll(SecretScan.of(scenario.bench(), scenario.namespace()).findings());
        if (context.getExecutionException().isPresent() || !wrong.isEmpty()) {
            System.out.println(Timeline.of(scenario));
        }
        if (context.getExecutionException().isEmpty() && !wrong.isEmpty()) {
            throw new ScenarioFailure(String.join("; ", wrong));
        }
    }

    /** One for the whole run, closed when the run ends. */
    private static Bench bench(ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(Bench.class, key -> Bench.start(LocalCluster.fromEnvironment()), Bench.class);
    }

    /** One a test, closed when the test ends. */
    private static Scenario scenario(ExtensionContext context) {
        return context.getStore(STORE)
                .computeIfAbsent(Scenario.class, key -> bench(context).begin(label(context)), Scenario.class);
    }

    private static String label(ExtensionContext context) {
        String method = context.getRequiredTestMethod().getName();
        String dashed = method.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        String cut = dashed.substring(0, Math.min(MAX_LABEL, dashed.length()));
        return cut.endsWith("-") ? cut.substring(0, cut.length() - 1) : cut;
    }
}
