// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate for {@code localhost}, and for no other name or address, made with the JDK's own
 * {@code keytool}: as a key store for Java and as PEM files for the server.
 *
 * @param store PKCS #12, trusts the certificate
 * @param certificate PEM
 * @param key PEM, without a password
 */
record TlsFiles(Path store, Path certificate, Path key) {
    static final String PASSWORD = "changeit";

    static TlsFiles create(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        TlsFiles files =
                new TlsFiles(folder.resolve("store.p12"), folder.resolve("cert.pem"), folder.resolve("key.pem"));
        String certificate = files.certificate().toString();
        keytool(
                files,
                "-genkeypair -alias server -keyalg EC -groupname secp256r1 -validity 2 -storetype PKCS12"
                        + " -dname CN=localhost -ext SAN=dns:localhost");
        KeyStore store = files.load();
        // A key pair is no trust anchor for Java until its certificate is listed on its own.
        keytool(files, "-exportcert -rfc -alias server", "-file", certificate);
        keytool(files, "-importcert -noprompt -alias anchor", "-file", certificate);
        byte[] secret = store.getKey("server", PASSWORD.toCharArray()).getEncoded();
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(secret);
        Files.writeString(files.key(), "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
        return files;
    }

    KeyStore load() throws IOException, GeneralSecurityException {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return loaded;
    }

    private static void keytool(TlsFiles files, String options, String... more)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        line.addAll(List.of(options.split(" ")));
        line.addAll(List.of("-keystore", files.store().toString(), "-storepass", PASSWORD));
        line.addAll(List.of(more));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool " + options + " failed: " + output);
        }
    }
}
