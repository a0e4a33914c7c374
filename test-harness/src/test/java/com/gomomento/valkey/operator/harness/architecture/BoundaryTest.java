package com.gomomento.valkey.operator.harness.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.stream.Stream;

/** The walls of the house: who may know whom, and whose types may be seen from outside. */
@AnalyzeClasses(
        packages = "com.gomomento.valkey.operator",
        importOptions = {ImportOption.DoNotIncludeTests.class})
class BoundaryTest {

    private static final String BASE = "com.gomomento.valkey.operator.";
    private static final List<String> FOREIGN =
            List.of("io.fabric8.", "glide.", "com.fasterxml.jackson.", "ch.qos.logback.", "tools.jackson.");

    @ArchTest
    static final ArchRule CORE_KNOWS_ONLY_JAVA = classes()
            .that()
            .resideInAPackage(BASE + "core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", BASE + "core..");

    @ArchTest
    static final ArchRule CORE_STARTS_NO_THREAD_AND_READS_NO_CLOCK = noClasses()
            .that()
            .resideInAPackage(BASE + "core..")
            .should()
            .dependOnClassesThat(
                    new DescribedPredicate<JavaClass>("are threads, clocks, files, sockets or randomness") {
                        @Override
                        public boolean test(JavaClass type) {
                            return type.isEquivalentTo(Thread.class)
                                    || type.isEquivalentTo(java.time.Clock.class)
                                    || type.getName().startsWith("java.util.concurrent.")
                                    || type.getName().startsWith("java.util.Random")
                                    || type.getName().startsWith("java.util.random.")
                                    || type.getName().startsWith("java.io.")
                                    || type.getName().startsWith("java.net.")
                                    || type.getName().startsWith("java.nio.file.");
                        }
                    });

    @ArchTest
    static final ArchRule VALKEY_ADAPTER_KNOWS_NO_KUBERNETES = noClasses()
            .that()
            .resideInAPackage(BASE + "valkey..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(BASE + "kubernetes..", BASE + "app..", BASE + "logging..", "io.fabric8..");

    @ArchTest
    static final ArchRule KUBERNETES_ADAPTER_KNOWS_NO_VALKEY_CLIENT = noClasses()
            .that()
            .resideInAPackage(BASE + "kubernetes..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(BASE + "valkey..", BASE + "app..", BASE + "logging..", "glide..");

    @ArchTest
    static final ArchRule LOGGING_STANDS_ALONE = noClasses()
            .that()
            .resideInAPackage(BASE + "logging..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    BASE + "core..", BASE + "valkey..", BASE + "kubernetes..", BASE + "app..", "io.fabric8..");

    /** {@code Fabric8KubernetesPort.connect(Config, ...)} is the one door through which an embedder hands in its own client setup. */
    @ArchTest
    static final ArchRule NO_LIBRARY_TYPE_IN_A_PUBLIC_API = methods()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(BASE + "kubernetes..", BASE + "valkey..", BASE + "core..", BASE + "app..")
            .and()
            .areDeclaredInClassesThat()
            .arePublic()
            .should(showOnlyOwnTypes());

    private static ArchCondition<JavaMethod> showOnlyOwnTypes() {
        return new ArchCondition<>("show only the JDK's and own types") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                boolean door = method.getOwner().getSimpleName().equals("Fabric8KubernetesPort")
                        && method.getName().equals("connect");
                Stream.concat(method.getRawParameterTypes().stream(), Stream.of(method.getRawReturnType()))
                        .filter(type -> FOREIGN.stream().anyMatch(type.getName()::startsWith))
                        .filter(type -> !door && method.getModifiers().contains(JavaModifier.PUBLIC))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                method, method.getFullName() + " shows " + type.getName())));
            }
        };
    }
}
