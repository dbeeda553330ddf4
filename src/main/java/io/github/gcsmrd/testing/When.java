// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

/**
 * The moment in the life of a stream at which a {@link StreamScript} acts. Immutable and
 * thread-safe.
 */
public sealed interface When {

  /**
   * As soon as the request's headers have come; no message has been read.
   *
   * @return the moment
   */
  static When called() {
    return new Called();
  }

  /**
   * When the first message has come and its spec was found right, before the first response.
   *
   * @return the moment
   */
  static When opened() {
    return new Opened();
  }

  /**
   * When the first response was sent. It is without data unless the first message asked for some.
   *
   * @return the moment
   */
  static When answered() {
    return new Answered();
  }

  /**
   * When exactly so many bytes of content were sent on the stream: a chunk is cut there.
   *
   * @param bytes more than 0
   * @return the moment
   * @throws IllegalArgumentException if the number is not positive
   */
  static When sent(long bytes) {
    return new Sent(requirePositive(bytes));
  }

  /**
   * When so many ranges were asked for on the stream, before the last of them is answered.
   *
   * @param count more than 0
   * @return the moment
   * @throws IllegalArgumentException if the number is not positive
   */
  static When rangesReceived(int count) {
    return new RangesReceived((int) requirePositive(count));
  }

  /**
   * When so many ranges were answered to their end on the stream.
   *
   * @param count more than 0
   * @return the moment
   * @throws IllegalArgumentException if the number is not positive
   */
  static When rangesFinished(int count) {
    return new RangesFinished((int) requirePositive(count));
  }

  /** Made by {@link When#called}. */
  record Called() implements When {}

  /** Made by {@link When#opened}. */
  record Opened() implements When {}

  /** Made by {@link When#answered}. */
  record Answered() implements When {}

  /**
   * Made by {@link When#sent}.
   *
   * @param bytes how many bytes of content
   */
  record Sent(long bytes) implements When {}

  /**
   * Made by {@link When#rangesReceived}.
   *
   * @param count how many ranges
   */
  record RangesReceived(int count) implements When {}

  /**
   * Made by {@link When#rangesFinished}.
   *
   * @param count how many ranges
   */
  record RangesFinished(int count) implements When {}

  private static long requirePositive(long number) {
    if (number <= 0) {
      throw new IllegalArgumentException("not positive: " + number);
    }
    return number;
  }
}
