// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** JDK 24 and later warn when Netty loads its native libraries, unless it was allowed to. */
class NativeAccessTest {
  private static final String JAR_MANIFEST =
      "/project/build/plugins/plugin[artifactId='maven-jar-plugin']"
          + "/configuration/archive/manifestEntries/Enable-Native-Access";

  @Test
  void theJarsManifestAllowsIt() throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File("pom.xml"));
    XPath path = XPathFactory.newInstance().newXPath();
    assertEquals("ALL-UNNAMED", path.evaluate(JAR_MANIFEST, pom));
  }

  /** The command line runs inside Maven's JVM, which reads no manifest of ours. */
  @Test
  void mavensJvmAllowsIt() throws IOException {
    List<String> options = Files.readAllLines(Path.of(".mvn", "jvm.config"));
    assertTrue(options.contains("--enable-native-access=ALL-UNNAMED"), options.toString());
    assertTrue(options.contains("-XX:+IgnoreUnrecognizedVMOptions"), "older JVMs must start too");
  }
}
