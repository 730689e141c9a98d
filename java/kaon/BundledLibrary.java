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
 * kaon's library for C in a jar that has it, with those that it needs: see scripts/make-jar.sh. The
 * system loads files only, so they are unpacked to a temporary folder, which is gone once they are
 * loaded.
 */
final class BundledLibrary {
  private static final String FOLDER = "native/" + system() + "/";

  private BundledLibrary() {}

  /** Loads it; false if the jar has none for this system. */
  static boolean load() {
    try (InputStream names = BundledLibrary.class.getResourceAsStream(FOLDER + "libraries")) {
      if (names == null) {
        return false;
      }
      load(new String(names.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      return true;
    } catch (IOException error) {
      throw new UncheckedIOException("kaon's library for C cannot be unpacked", error);
    }
  }

  /** Those that others need come before them. */
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

  /** Such as "linux-x86_64", as uname says it. */
  private static String system() {
    String machine = System.getProperty("os.arch");
    return System.getProperty("os.name").toLowerCase(Locale.ROOT)
        + "-"
        + (machine.equals("amd64") ? "x86_64" : machine);
  }
}
