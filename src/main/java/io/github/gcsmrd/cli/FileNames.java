// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.RangeResult;
import java.util.HexFormat;

/** Makes names of files out of names of objects, which may hold anything. */
final class FileNames {
  private static final int LONGEST = 120;
  private static final String NAMELESS = "object";

  private FileNames() {}

  /**
   * The last part of an object's name, with letters, digits, {@code ._-} and nothing else: never a
   * path, never a hidden file.
   */
  static String base(String object) {
    String name = object.replaceAll("/+$", "");
    name = name.substring(name.lastIndexOf('/') + 1);
    name = name.replaceAll("[^\\p{L}\\p{Nd}._-]", "_").replaceAll("^[.-]+", "_");
    if (name.length() > LONGEST) {
      name = name.substring(0, LONGEST);
    }
    return name.isEmpty() ? NAMELESS : name;
  }

  /** The file of a range: the base and which bytes of the object it holds. */
  static String of(String base, RangeResult result) {
    return base + "-" + result.offset() + "-" + result.length();
  }

  /** The file of a range that is not wholly there: of this run alone, whoever else runs. */
  static String partial(String base, int index, long run) {
    return base + "-range" + index + "-" + HexFormat.of().toHexDigits(run) + ".part";
  }
}
