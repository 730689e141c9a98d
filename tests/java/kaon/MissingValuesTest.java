package kaon;

import static kaon.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Optional members: getters never return the 0 that files store for missing values. */
class MissingValuesTest {
  private static EventFile open(String name) {
    return EventFile.open(
        Path.of(System.getProperty("kaon.test.data"), "../format/golden", name).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"structures-split.kaon", "structures-row.kaon"})
  void gettersOfMissingNumbersThrow(String name) {
    try (EventFile file = open(name);
        Batches batches = file.category("events").read("Hits")) {
      Batch batch = batches.next();
      Column time = batch.column("Hits.time");
      assertTrue(time.hasMissing());
      assertEquals(0.5, time.getDouble(0));
      assertFalse(time.isPresent(1));
      assertEquals(1.5, time.getDouble(2));
      assertFails(
          KaonException.Kind.USAGE,
          "'Hits.time' has no value at index 1; ask isPresent() first",
          () -> time.getDouble(1));
      assertFails(KaonException.Kind.USAGE, "has missing values", time::values);
      assertEquals(1.5, time.storedValues().getAtIndex(ValueLayout.JAVA_DOUBLE, 2));
      Column one = batch.column("Hits.one").children().get(0);
      assertFalse(one.hasMissing());
      assertEquals(3, one.values().toArray(ValueLayout.JAVA_FLOAT).length);
    }
  }

  /** Only the second object has the array of two components. */
  @ParameterizedTest
  @ValueSource(strings = {"structures-split.kaon", "structures-row.kaon"})
  void valuesInMissingArraysAreMissing(String name) {
    try (EventFile file = open(name);
        Batches batches = file.category("events").read("Hits")) {
      Column ends = batches.next().column("Hits.ends");
      assertEquals(Field.Type.ARRAY, ends.field().type());
      Column x = ends.children().get(0).children().get(0);
      assertFalse(ends.isPresent(0));
      for (long element : new long[] {0, 1, 4, 5}) {
        assertFalse(x.isPresent(element));
        assertFails(KaonException.Kind.USAGE, "has no value", () -> x.getFloat(element));
      }
      assertEquals(2, x.getFloat(2));
      assertEquals(5, x.getFloat(3));
    }
  }

  @Test
  void expressionsTestForMissingValues() {
    try (EventFile file = open("structures-split.kaon");
        Batches batches =
            file.category("events").read("Hits.time + 1", "default(Hits.time, -1)")) {
      Batch batch = batches.next();
      Column later = batch.column("Hits.time + 1").children().get(0);
      assertEquals(1.5, later.getDouble(0));
      assertFails(KaonException.Kind.USAGE, "has no value", () -> later.getDouble(1));
      Column known = batch.column("default(Hits.time, -1)").children().get(0);
      assertEquals(-1, known.getDouble(1));
      assertFalse(known.hasMissing());
    }
  }
}
