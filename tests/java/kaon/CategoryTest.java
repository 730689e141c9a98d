package kaon;

import static kaon.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads entries of two files as one dataset, with cuts and computed columns. */
class CategoryTest {
  @TempDir Path folder;

  /** Writes three events with two, no and one muon to each file. */
  @BeforeEach
  void write() {
    int run = 0;
    for (String name : new String[] {"a.kaon", "b.root"}) {
      ++run;
      try (EventWriter out = EventWriter.create(path(name))) {
        out.write("events", new Columns()
            .add("run", new int[] {run, run, run})
            .add("Muon", Values.list(
                new int[] {0, 2, 2, 3},
                new Columns()
                    .add("pt", new float[] {41, 12.5F, 33})
                    .add("charge", new byte[] {1, -1, 1}))));
        out.finish();
      }
    }
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void filesAreReadAsOne() {
    try (EventFile file = EventFile.open(path("a.kaon"), path("b.root"));
        Batches batches = file.category("events").read("run")) {
      assertEquals(path("a.kaon") + " and 1 more", file.name());
      assertEquals(6, file.category("events").entries());
      long next = 0;
      for (Batch batch : batches) {
        assertEquals(next, batch.firstEntry());
        for (long entry = 0; entry < batch.entries(); ++entry) {
          assertEquals(next++ < 3 ? 1 : 2, batch.column("run").getInt(entry));
        }
      }
      assertEquals(6, next);
    }
  }

  @Test
  void patternsAreFiles() {
    try (EventFile file = EventFile.open(path("?.[kr]*"));
        Batches batches = file.category("events").read(2, 4, "run")) {
      assertEquals(1, batches.next().column("run").getInt(0));
      assertEquals(2, batches.next().column("run").getInt(0));
      assertFalse(batches.hasNext());
    }
    assertFails(
        KaonException.Kind.MISSING, "no file matches", () -> EventFile.open(path("c*.kaon")));
  }

  @Test
  void cutsLeaveEntriesOut() {
    try (EventFile file = EventFile.open(path("a.kaon"), path("b.root"))) {
      Category events =
          file.category("events").filter("count(Muon) > 0 or run > 5").filter("Muon.pt[0] < 40");
      assertEquals("events[(count(Muon) > 0 or run > 5) and (Muon.pt[0] < 40)]", events.toString());
      try (Batches batches = events.read("Muon.charge", "dataset.entry")) {
        for (long entry : new long[] {2, 5}) {
          Batch batch = batches.next();
          assertEquals(1, batch.entries());
          assertEquals(entry, batch.column("dataset.entry").getLong(0));
          assertEquals(1, batch.column("Muon.charge").getByte(0));
          assertFails(KaonException.Kind.USAGE, "'dataset.entry'", batch::firstEntry);
        }
        assertFalse(batches.hasNext());
      }
      assertEquals(6, events.entries());
    }
  }

  @Test
  void expressionsAreColumns() {
    try (EventFile file = EventFile.open(path("a.kaon"));
        Batches batches =
            file.category("events").read("sum(Muon.pt)", "Muon.pt[Muon.pt > 20]", "Muon.pt")) {
      assertEquals(
          List.of("Muon", "sum(Muon.pt)", "Muon.pt[Muon.pt > 20]"),
          batches.fields().stream().map(Field::name).toList());
      Batch batch = batches.next();
      assertArrayEquals(
          new float[] {53.5F, 0, 33},
          batch.column("sum(Muon.pt)").values().toArray(ValueLayout.JAVA_FLOAT));
      Column hard = batch.column("Muon.pt[Muon.pt > 20]");
      assertEquals(1, hard.count(0));
      assertEquals(33, hard.children().get(0).getFloat(hard.begin(2)));
      assertEquals(12.5F, batch.column("Muon.pt").getFloat(1));
    }
  }

  @Test
  void invalidExpressionsAreErrors() {
    try (EventFile file = EventFile.open(path("a.kaon"))) {
      Category events = file.category("events");
      assertFails(KaonException.Kind.NAME, "did you mean 'Muon'",
          () -> events.filter("count(Moun) > 1").read());
      assertFails(KaonException.Kind.TYPE, "any()", () -> events.filter("Muon.pt > 1").read());
      assertFails(KaonException.Kind.USAGE, "missing", () -> events.read("1 +"));
    }
  }
}
