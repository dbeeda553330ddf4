// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the types that the public and protected signatures of a class name, generic arguments
 * and bounds too. Confined to one thread.
 */
final class Signatures {
  private final BiConsumer<String, Class<?>> named;
  private final Set<TypeVariable<?>> seen = new HashSet<>();

  /**
   * Makes a walker.
   *
   * @param named gets the place in the class and each type that is named there
   */
  Signatures(BiConsumer<String, Class<?>> named) {
    this.named = named;
  }

  /** Whether users can name the class: it and those around it are public or protected. */
  static boolean isVisible(Class<?> type) {
    boolean visible = isVisible(type.getModifiers()) && !type.isAnonymousClass();
    Class<?> enclosing = type.getEnclosingClass();
    return visible && (enclosing == null || isVisible(enclosing));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /**
   * Visits the members of a class, and of those hidden ones that it inherits from: what is visible
   * in them is visible through the class.
   */
  void visit(Class<?> type) {
    heading(type);
    fields(type);
    constructors(type);
    methods(type);
    visitIfHidden(type.getSuperclass());
    for (Class<?> parent : type.getInterfaces()) {
      visitIfHidden(parent);
    }
  }

  private void visitIfHidden(@Nullable Class<?> parent) {
    if (parent != null && !isVisible(parent)) {
      visit(parent);
    }
  }

  private void fields(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers())) {
        name(field.getName(), field.getGenericType());
      }
    }
  }

  private void constructors(Class<?> type) {
    String place = "new " + type.getSimpleName();
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor.getModifiers())) {
        name(place, constructor.getTypeParameters());
        name(place, constructor.getGenericParameterTypes());
        name(place, constructor.getGenericExceptionTypes());
      }
    }
  }

  private void methods(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
        name(method.getName(), method.getTypeParameters());
        name(method.getName(), method.getGenericReturnType());
        name(method.getName(), method.getGenericParameterTypes());
        name(method.getName(), method.getGenericExceptionTypes());
      }
    }
  }

  private void heading(Class<?> type) {
    name("type parameters", type.getTypeParameters());
    name("superclass", type.getGenericSuperclass());
    name("interfaces", type.getGenericInterfaces());
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        if (isVisible(permitted)) {
          name("permits", permitted);
        }
      }
    }
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        name(component.getName(), component.getGenericType());
      }
    }
  }

  private void name(String place, Type[] types) {
    for (Type type : types) {
      name(place, type);
    }
  }

  private void name(String place, Type type) {
    if (type instanceof Class<?> plain) {
      named.accept(place, elementOf(plain));
    } else if (type instanceof ParameterizedType generic) {
      name(place, generic.getRawType());
      name(place, generic.getActualTypeArguments());
    } else if (type instanceof GenericArrayType array) {
      name(place, array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      name(place, wildcard.getUpperBounds());
      name(place, wildcard.getLowerBounds());
    } else if (type instanceof TypeVariable<?> variable && seen.add(variable)) {
      name(place, variable.getBounds());
    }
  }

  private static Class<?> elementOf(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element;
  }
}
