package com.gomomento.valkey.operator.logging;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What this module lets others see, and what it may see itself. */
class ApiTest {

    /** logback itself asks for these two. */
    private static final Set<String> CALLED_BY_LOGBACK = Set.of("JsonLineEncoder", "SilentConfigurator");

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackagesOf(LogSetup.class);

    @Test
    void publicSignaturesAreFreeOfLogback() {
        Set<String> foreign = new TreeSet<>();
        for (JavaClass type : MODULE) {
            if (type.getModifiers().contains(JavaModifier.PUBLIC)
                    && !CALLED_BY_LOGBACK.contains(type.getSimpleName())) {
                visibleTypes(type)
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.startsWith("java.")
                                && !name.isEmpty()
                                && !name.equals("org.slf4j.event")
                                && !name.equals(LogSetup.class.getPackageName()))
                        .forEach(name -> foreign.add(type.getSimpleName() + " shows " + name));
            }
        }
        assertThat(foreign).isEmpty();
    }

    private static Stream<JavaClass> visibleTypes(JavaClass type) {
        Stream<JavaClass> ofCode = type.getCodeUnits().stream()
                .filter(unit -> isVisible(unit.getModifiers()))
                .flatMap(ApiTest::typesOf);
        Stream<JavaClass> ofFields = type.getFields().stream()
                .filter(field -> isVisible(field.getModifiers()))
                .map(JavaField::getRawType);
        return Stream.concat(type.getAllRawSuperclasses().stream(), Stream.concat(ofCode, ofFields))
                .map(JavaClass::getBaseComponentType);
    }

    private static Stream<JavaClass> typesOf(JavaCodeUnit unit) {
        return Stream.concat(Stream.of(unit.getRawReturnType()), unit.getRawParameterTypes().stream());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    @Test
    void thePublicTypesAreThese() {
        assertThat(MODULE.stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName))
                .contains("LogSetup", "Spans", "SpanContext", "Span", "RustLogFilter", "LevelFilter", "JsonLineEncoder")
                .doesNotContain("FilterGate", "LineAppender", "Directive", "Utf8Buffer");
    }

    @Test
    void dependsOnNothingButSlf4jAndLogback() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..", "org.slf4j..", "ch.qos.logback..", "com.gomomento.valkey.operator.logging..")
                .check(MODULE);
    }

    @Test
    void theFilterIsFreeOfLogback() {
        noClasses()
                .that()
                .haveNameMatching(".*\\.(RustLog|Directive|ValueMatch|RustPattern|RustNumbers|Span|TargetRules|Level"
                        + "Filter|JsonText|Utf8Buffer|MessageText|Timestamps).*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ch.qos.logback..")
                .check(MODULE);
    }
}
