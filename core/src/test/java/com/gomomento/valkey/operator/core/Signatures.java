package com.gomomento.valkey.operator.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What others can compile against: every public and protected type of a folder of class files, each with its public and
 * protected members. Left out is what the language gives to every record, enum and object.
 */
final class Signatures {

    private Signatures() {}

    /** One line a type, by its full name, and one a member, which begins with the type's name and {@code #}. */
    static List<String> of(Path classes) throws IOException {
        SortedMap<String, List<String>> byType = new TreeMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> load(classes.relativize(file)))
                    .filter(Signatures::accessible)
                    .forEach(type -> byType.put(type.getName().replace('$', '.'), lines(type)));
        }
        List<String> all = new ArrayList<>();
        byType.forEach((name, lines) -> {
            all.add(name + lines.getFirst());
            lines.stream().skip(1).forEach(line -> all.add(name + "#" + line));
        });
        return all;
    }

    private static Class<?> load(Path file) {
        String name = file.toString().replace('/', '.').replaceFirst("\\.class$", "");
        try {
            return Class.forName(name, false, Signatures.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new UncheckedIOException(new IOException("class file " + file + " can't be loaded", e));
        }
    }

    private static boolean accessible(Class<?> type) {
        boolean named = !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic();
        Class<?> outer = type.getDeclaringClass();
        return named && exposed(type.getModifiers()) && (outer == null || accessible(outer));
    }

    private static boolean exposed(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static List<String> lines(Class<?> type) {
        TreeSet<String> members = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (shown(field) && !field.isEnumConstant()) {
                members.add(modifiers(field) + name(field.getGenericType()) + " " + field.getName() + value(field));
            }
        }
        if (!type.isRecord() && !type.isEnum()) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (shown(constructor)) {
                    members.add(modifiers(constructor) + "new" + parameters(constructor));
                }
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (shown(method) && !given(type, method)) {
                members.add(modifiers(method) + variables(method.getTypeParameters())
                        + name(method.getGenericReturnType()) + " " + method.getName() + parameters(method));
            }
        }
        List<String> lines = new ArrayList<>(List.of(head(type)));
        lines.addAll(members);
        return lines;
    }

    private static boolean shown(Member member) {
        return exposed(member.getModifiers()) && !member.isSynthetic();
    }

    /** Whether the language gives it, or any object has it. */
    private static boolean given(Class<?> type, Method method) {
        String called = method.getName() + "/" + method.getParameterCount();
        boolean ofObject = List.of("equals/1", "hashCode/0", "toString/0").contains(called);
        boolean ofEnum = type.isEnum() && List.of("values/0", "valueOf/1").contains(called);
        boolean ofRecord = type.isRecord()
                && method.getParameterCount() == 0
                && Arrays.stream(type.getRecordComponents())
                        .anyMatch(component -> component.getName().equals(method.getName()));
        return ofObject || ofEnum || ofRecord;
    }

    private static String head(Class<?> type) {
        StringBuilder head =
                new StringBuilder(variables(type.getTypeParameters()).strip());
        head.append(type.isRecord() ? components(type) : "")
                .append(type.isEnum() || (type.isInterface() && !type.isSealed()) ? " is an " : " is a ");
        head.append(type.isSealed() ? "sealed " : "");
        head.append(
                Modifier.isAbstract(type.getModifiers()) && !type.isInterface()
                        ? "abstract "
                        : Modifier.isFinal(type.getModifiers()) && !type.isRecord() && !type.isEnum() ? "final " : "");
        head.append(type.isInterface() ? "interface" : type.isRecord() ? "record" : type.isEnum() ? "enum" : "class");
        if (type.isEnum()) {
            head.append(Arrays.stream(type.getDeclaredFields())
                    .filter(Field::isEnumConstant)
                    .map(Field::getName)
                    .collect(Collectors.joining(", ", " of ", "")));
        }
        List<Type> above = new ArrayList<>(List.of(type.getGenericInterfaces()));
        Optional.ofNullable(type.getGenericSuperclass())
                .filter(parent -> parent != Object.class && !type.isRecord() && !type.isEnum())
                .ifPresent(above::addFirst);
        if (!above.isEmpty()) {
            head.append(above.stream().map(Signatures::name).collect(Collectors.joining(", ", " under ", "")));
        }
        return head.toString();
    }

    private static String components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map((RecordComponent part) -> name(part.getGenericType()) + " " + part.getName())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String parameters(Executable executable) {
        String thrown = Arrays.stream(executable.getGenericExceptionTypes())
                .map(Signatures::name)
                .collect(Collectors.joining(", "));
        String taken = Arrays.stream(executable.getGenericParameterTypes())
                .map(Signatures::name)
                .collect(Collectors.joining(", "));
        return "(" + (executable.isVarArgs() ? taken.replaceFirst("\\[]$", "...") : taken) + ")"
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName() + bounds(variable))
                        .collect(Collectors.joining(", ", "<", "> "));
    }

    private static String bounds(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getBounds())
                .filter(bound -> bound != Object.class)
                .map(Signatures::name)
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? "" : " extends " + bounds;
    }

    /** In an interface, only what its implementers need not write stands out. */
    private static String modifiers(Member member) {
        int modifiers = member.getModifiers();
        boolean inInterface = member.getDeclaringClass().isInterface();
        String words = (Modifier.isProtected(modifiers) ? "protected " : "")
                + (Modifier.isStatic(modifiers) ? "static " : "")
                + (Modifier.isAbstract(modifiers) ? "abstract " : "");
        return inInterface && member instanceof Method method && method.isDefault() ? "default " + words : words;
    }

    /** Compilers copy constants into the classes that use them. */
    private static String value(Field field) {
        boolean constant = Modifier.isStatic(field.getModifiers())
                && Modifier.isFinal(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return constant ? " = " + field.get(null) : "";
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a public constant can't be read: " + field, e);
        }
    }

    private static String name(Type type) {
        return type.getTypeName().replaceAll("\\b(?:[a-z][a-z0-9]*\\.)+", "").replace('$', '.');
    }
}
