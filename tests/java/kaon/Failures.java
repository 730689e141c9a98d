package kaon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Expectations for calls that fail. */
final class Failures {
  private Failures() {}

  static void assertFails(KaonException.Kind kind, String words, Executable call) {
    KaonException error = assertThrows(KaonException.class, call);
    assertEquals(kind, error.kind(), error.getMessage());
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }
}
