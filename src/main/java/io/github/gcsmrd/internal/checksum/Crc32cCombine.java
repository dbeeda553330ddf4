// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

/**
 * Computes the CRC32C of a concatenation from the CRC32Cs of its parts, without their bytes.
 * Stateless and thread-safe.
 *
 * <p>A CRC is the remainder of the data, taken as a polynomial over GF(2), by Castagnoli's
 * polynomial P. Putting n bytes behind data multiplies it by x^(8n), so its remainder is multiplied
 * by x^(8n) mod P, which is the product of those x^(8·2^k) mod P whose bit k is set in n. What the
 * CRC adds before and after (all ones) cancels out in the sum with the second part's CRC.
 *
 * <p>Remainders are reflected, as CRC32C has them: the highest bit is the coefficient of x^0.
 */
public final class Crc32cCombine {
  private static final int POLYNOMIAL = 0x82F6_3B78;
  private static final int X_TO_THE_8 = 1 << (31 - 8);

  /** x^(8·2^k) mod P at index k, for each bit of a length that is not negative. */
  private static final int[] POWERS = powers();

  private Crc32cCombine() {}

  /**
   * Combines two CRC32Cs, in a number of steps that grows with the length's logarithm.
   *
   * @param crcA the CRC32C of the first part
   * @param crcB the CRC32C of the second part
   * @param lengthB how many bytes the second part has
   * @return the CRC32C of the first part followed by the second
   * @throws IllegalArgumentException if the length is negative
   */
  public static int combine(int crcA, int crcB, long lengthB) {
    if (lengthB < 0) {
      throw new IllegalArgumentException("lengthB is negative: " + lengthB);
    }
    int moved = crcA;
    int k = 0;
    for (long rest = lengthB; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        moved = multiply(POWERS[k], moved);
      }
      k++;
    }
    return moved ^ crcB;
  }

  private static int[] powers() {
    int[] powers = new int[Long.SIZE - 1];
    powers[0] = X_TO_THE_8;
    for (int k = 1; k < powers.length; k++) {
      powers[k] = multiply(powers[k - 1], powers[k - 1]);
    }
    return powers;
  }

  /** Multiplies modulo P: adds up b·x^i for each x^i in a. */
  private static int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      product ^= shifted & (rest >> 31);
      shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
    }
    return product;
  }
}
