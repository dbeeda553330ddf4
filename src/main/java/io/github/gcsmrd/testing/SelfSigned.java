// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * A key and a certificate signed with it, for {@code localhost}, {@code 127.0.0.1} and {@code ::1}.
 * Immutable and thread-safe.
 *
 * <p>The JDK can read certificates but has no public way to make one, so it is encoded here (X.509
 * version 3, P-256, SHA-256). It is made anew each time: no private key lies around.
 *
 * @param privateKey the key
 * @param certificate the certificate
 */
record SelfSigned(PrivateKey privateKey, X509Certificate certificate) {
  private static final String NAME = "localhost";
  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

  static SelfSigned make() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      byte[] content = content(keys.getPublic().getEncoded());
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] encoded = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(encoded));
      return new SelfSigned(keys.getPrivate(), certificate);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this platform can't make an EC certificate", e);
    }
  }

  private static byte[] content(byte[] publicKey) {
    byte[] serial = new byte[9];
    new SecureRandom().nextBytes(serial);
    serial[0] = 1; // Positive, and without a superfluous zero in front.
    ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
    byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.utf8(NAME))));
    return Der.sequence(
        Der.tagged(0xA0, Der.integer(2)),
        Der.integer(serial),
        ECDSA_WITH_SHA256,
        name,
        Der.sequence(Der.time(now.minusDays(1)), Der.time(now.plusYears(1))),
        name,
        publicKey,
        Der.tagged(0xA3, Der.sequence(alternativeNames(), authority())));
  }

  private static byte[] alternativeNames() {
    byte[] loopback6 = new byte[16];
    loopback6[15] = 1;
    byte[] names =
        Der.sequence(
            Der.tagged(0x82, NAME.getBytes(StandardCharsets.US_ASCII)),
            Der.tagged(0x87, new byte[] {127, 0, 0, 1}),
            Der.tagged(0x87, loopback6));
    return Der.sequence(Der.oid(2, 5, 29, 17), Der.octets(names));
  }

  /** It signs itself, so it must be allowed to sign. */
  private static byte[] authority() {
    return Der.sequence(Der.oid(2, 5, 29, 19), Der.yes(), Der.octets(Der.sequence(Der.yes())));
  }
}
