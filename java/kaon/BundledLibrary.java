package kaon;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Loads kaon's C library, and the libraries that it needs, from a jar that contains them: see
 * scripts/make-jar.sh. The system can only load files, so they are unpacked to a temporary folder,
 * which is deleted after loading.
 */
final class BundledLibrary {
  private static final String FOLDER = "native/" + system() + "/";

  private BundledLibrary() {}

  /** Loads the library. Returns false if the jar has no library for this system. */
  static boolean load() {
    try (InputStream names = BundledLibrary.class.getResourceAsStream(FOLDER + "libraries")) {
      if (names == null) {
        return false;
      }
      load(new String(names.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      return true;
    } catch (IOException error) {
      throw new UncheckedIOException("cannot unpack kaon's library for C", error);
    }
  }

  /** Loads libraries in order: a library comes after those that it needs. */
  private static void load(List<String> names) throws IOException {
    Path folder = Files.createTempDirectory("kaon");
    try {
      for (String name : names) {
        try (InputStream library = BundledLibrary.class.getResourceAsStream(FOLDER + name)) {
          Files.copy(library, folder.resolve(name));
        }
      }
      for (String name : names) {
        System.load(folder.resolve(name).toString());
      }
    } finally {
      for (String name : names) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    }
  }

  /** Returns the system's name from uname, such as "linux-x86_64". */
  private static String system() {
    String machine = System.getProperty("os.arch");
    return System.getProperty("os.name").toLowerCase(Locale.ROOT)
        + "-"
        + (machine.equals("amd64") ? "x86_64" : machine);
  }
}
