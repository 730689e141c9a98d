package kaon;

import static kaon.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes events and reads them back. */
class EventWriterTest {
  @TempDir Path folder;

  /** Returns three events with two, no and one muon. */
  private static Columns events() {
    return new Columns()
        .add("run", new int[] {1, 1, 2})
        .add("Muon", Values.list(
            new int[] {0, 2, 2, 3},
            new Columns()
                .add("pt", new float[] {41, 12.5F, 33})
                .add("hits", Values.list(
                    new int[] {0, 1, 1, 3},
                    new Columns().add("time", new double[] {.1, .2, .3})))));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static void write(String path, Columns entries) {
    try (EventWriter out = EventWriter.create(path)) {
      out.write("events", entries);
      out.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"muons.kaon", "muons.root", "muons.h5"})
  void collectionsComeBack(String name) {
    write(path(name), events());
    try (EventFile file = EventFile.open(path(name));
        Batches batches = file.category("events").read("Muon")) {
      Batch batch = batches.next();
      Column muons = batch.column("Muon");
      Column hits = batch.column("Muon.hits");
      assertEquals(3, batch.entries());
      assertArrayEquals(
          new long[] {2, 0, 1}, new long[] {muons.count(0), muons.count(1), muons.count(2)});
      assertArrayEquals(
          new float[] {41, 12.5F, 33},
          batch.column("Muon.pt").values().toArray(ValueLayout.JAVA_FLOAT));
      assertEquals(2, muons.begin(2));
      assertEquals(1, hits.begin(2));
      assertEquals(3, hits.end(2));
      assertEquals(.3, batch.column("Muon.hits.time").getDouble(2));
      assertFalse(batches.hasNext());
    }
  }

  @Test
  void valuesOfAllTypesComeBack() {
    write(
        path("types.kaon"),
        new Columns()
            .add("bool", new boolean[] {true, false})
            .add("int8", new byte[] {-128, 127})
            .add("int16", new short[] {-32768, 32767})
            .add("int32", new int[] {Integer.MIN_VALUE, Integer.MAX_VALUE})
            .add("int64", new long[] {Long.MIN_VALUE, Long.MAX_VALUE})
            .add("float32", new float[] {Float.MIN_VALUE, Float.NEGATIVE_INFINITY})
            .add("float64", new double[] {Double.MAX_VALUE, Double.NaN})
            .add("text", new String[] {"", "µ → e γ"}));
    try (EventFile file = EventFile.open(path("types.kaon"));
        Batches batches = file.category("events").read()) {
      Batch batch = batches.next();
      assertTrue(batch.column("bool").getBoolean(0));
      assertFalse(batch.column("bool").getBoolean(1));
      assertEquals(-128, batch.column("int8").getByte(0));
      assertEquals(-128, batch.column("int8").getInt(0));
      assertEquals(32767, batch.column("int16").getShort(1));
      assertEquals(-32768, batch.column("int16").getLong(0));
      assertEquals(Integer.MIN_VALUE, batch.column("int32").getLong(0));
      assertFails(KaonException.Kind.TYPE, "'int64' is of type INT64 and has no int",
          () -> batch.column("int64").getInt(0));
      assertFails(KaonException.Kind.TYPE, "'float32' is of type FLOAT32 and has no long",
          () -> batch.column("float32").getLong(0));
      assertEquals(Integer.MIN_VALUE, batch.column("int32").getInt(0));
      assertEquals(Long.MAX_VALUE, batch.column("int64").getLong(1));
      assertEquals(Float.MIN_VALUE, batch.column("float32").getFloat(0));
      assertEquals(Float.NEGATIVE_INFINITY, batch.column("float32").getDouble(1));
      assertEquals(Double.MAX_VALUE, batch.column("float64").getDouble(0));
      assertTrue(Double.isNaN(batch.column("float64").getDouble(1)));
      assertEquals("", batch.column("text").getString(0));
      assertEquals("µ → e γ", batch.column("text").getString(1));
    }
  }

  @Test
  void entriesOfSeveralCallsAndCategoriesFollowEachOther() {
    try (EventWriter out = EventWriter.create(path("two.kaon"), "lz4", 1)) {
      out.write("events", events());
      out.write("runs", new Columns().add("run", new int[] {1, 2}));
      out.write("events", events());
      out.finish();
    }
    try (EventFile file = EventFile.open(path("two.kaon"))) {
      assertEquals(6, file.category("events").entries());
      assertEquals(2, file.category("runs").entries());
      try (Batches batches = file.category("events").read(2, 5, "run")) {
        Batch batch = batches.next();
        assertEquals(2, batch.firstEntry());
        assertArrayEquals(
            new int[] {2, 1, 1}, batch.column("run").values().toArray(ValueLayout.JAVA_INT));
      }
    }
  }

  @Test
  void noEntriesAreEntries() {
    write(path("none.kaon"), new Columns().add("run", new int[0]));
    try (EventFile file = EventFile.open(path("none.kaon"));
        Batches batches = file.category("events").read()) {
      assertEquals("run", batches.fields().get(0).name());
      assertFalse(batches.hasNext());
    }
  }

  @Test
  void unfinishedWritersKeepTheOldFile() throws Exception {
    write(path("events.kaon"), events());
    byte[] before = Files.readAllBytes(folder.resolve("events.kaon"));
    try (EventWriter out = EventWriter.create(path("events.kaon"))) {
      out.write("events", new Columns().add("other", new int[1]));
    }
    assertArrayEquals(before, Files.readAllBytes(folder.resolve("events.kaon")));
  }

  @Test
  void columnsMustFitEachOther() {
    Columns columns = new Columns().add("pt", new float[2]);
    assertFails(KaonException.Kind.USAGE, "'eta' has 3 values, but earlier columns have 2",
        () -> columns.add("eta", new float[3]));
    assertFails(KaonException.Kind.USAGE, "a column 'pt' already",
        () -> columns.add("pt", new float[2]));
    assertFails(KaonException.Kind.TYPE, "Integer[] cannot be written",
        () -> columns.add("charge", new Integer[2]));
    assertFails(KaonException.Kind.USAGE, "one number more",
        () -> Values.list(new int[0], new int[0]));
    assertFails(KaonException.Kind.USAGE, "the number of elements, 5, not begin at",
        () -> Values.list(new int[] {0, 1}, new int[5]));
    assertFails(KaonException.Kind.USAGE, "text 1 is null",
        () -> columns.add("name", new String[] {"a", null}));
    assertThrows(NullPointerException.class, () -> columns.add(null, new int[2]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 3", "-1 2", "2 1", "0 9223372036854775807"})
  void listsMustLieInTheirElements(String begins) {
    long[] places = java.util.Arrays.stream(begins.split(" ")).mapToLong(Long::parseLong).toArray();
    try (EventWriter out = EventWriter.create(path("lists.kaon"))) {
      assertThrows(KaonException.class, () -> out.write("events",
          new Columns().add("list", Values.list(places, new float[] {1, 2}))));
    }
  }

  @Test
  void entriesMustFitThoseBefore() {
    try (EventWriter out = EventWriter.create(path("fit.kaon"))) {
      out.write("events", events());
      assertFails(KaonException.Kind.USAGE, "run",
          () -> out.write("events", new Columns().add("run", new double[1])));
    }
  }

  @Test
  void codecsAndFoldersMustBeThere() {
    assertFails(KaonException.Kind.NAME, "did you mean 'zstd'",
        () -> EventWriter.create(path("a.kaon"), "zst", 1));
    assertFails(KaonException.Kind.USAGE, "zstd has the levels",
        () -> EventWriter.create(path("a.kaon"), "zstd", 99));
    assertThrows(KaonException.class, () -> EventWriter.create(path("no/folder/a.kaon")));
  }

  /** Copies keep relations, units, models and metadata. */
  @Test
  void batchesAreWrittenAsTheyWereRead() {
    String toy = System.getProperty("kaon.test.data") + "/podio/toy.ttree.root";
    try (EventFile file = EventFile.open(toy);
        Batches batches = file.category("events").filter("count(Particles) > 2").read();
        EventWriter out = EventWriter.create(path("some.kaon"))) {
      out.setMetadata("podio", "another");
      out.copyDocuments(file);
      out.setMetadata("cut", "count(Particles) > 2");
      for (Batch batch : batches) {
        out.write("events", batch);
      }
      out.finish();
    }
    try (EventFile file = EventFile.open(toy);
        EventFile some = EventFile.open(path("some.kaon"));
        Batches before = file.category("events").filter("count(Particles) > 2").read();
        Batches after = some.category("events").read()) {
      assertEquals("count(Particles) > 2", some.metadata().get("cut"));
      assertTrue(file.metadata().containsKey("podio"));
      assertEquals("another", some.metadata().get("podio"));
      assertEquals(before.fields().toString(), after.fields().toString());
      Batch wanted = before.next();
      Batch written = after.next();
      assertTrue(wanted.entries() > 0 && wanted.entries() < 9);
      for (String name : new String[] {
        "Particles.mass", "Particles.parents.index", "Hits.particle.index", "Tracks.hits.index"
      }) {
        MemorySegment values = written.column(name).values();
        assertEquals(-1, wanted.column(name).values().mismatch(values), name);
      }
    }
  }

  /** Writes two events whose tracks have hits; the first track has a particle. */
  @Test
  void relationsAreWritten() {
    String toy = System.getProperty("kaon.test.data") + "/podio/toy.ttree.root";
    try (EventFile model = EventFile.open(toy);
        EventWriter out = EventWriter.create(path("tracks.kaon"))) {
      out.copyDocuments(model);
      out.write("events", new Columns()
          .add("Hits", Values.list(
              new int[] {0, 2, 3},
              new Columns("toy::Hit").add("energy", new float[] {1, 2, 3})))
          .add("Particles", Values.list(
              new int[] {0, 1, 1}, new Columns("toy::Particle").add("PDG", new int[] {13})))
          .add("Tracks", Values.list(
              new int[] {0, 1, 2},
              new Columns("toy::Track")
                  .add("chi2", new float[] {5, 6})
                  .add("particle",
                      Values.references("Particles", "toy::Particle", new int[] {0, -1}))
                  .add("hits", Values.list(
                      new int[] {0, 2, 3},
                      Values.references("Hits", "toy::AnyHit", new int[] {1, 0, 0}))))));
      assertFails(KaonException.Kind.NAME, "Muons", () -> out.write("other", new Columns()
          .add("Tracks", Values.list(
              new int[] {0, 1},
              new Columns("toy::Track").add("particle",
                  Values.references("Muons", "toy::Particle", new int[] {0}))))));
      assertFails(
          KaonException.Kind.USAGE,
          "'Tracks.particle' refers, in entry 0 of those given, to object 7 of 'Particles', which "
              + "has 1 there",
          () -> out.write("other", new Columns()
              .add("Particles", Values.list(
                  new int[] {0, 1}, new Columns("toy::Particle").add("PDG", new int[] {13})))
              .add("Tracks", Values.list(
                  new int[] {0, 1},
                  new Columns("toy::Track").add("particle",
                      Values.references("Particles", "toy::Particle", new int[] {7}))))));
      out.finish();
    }
    try (EventFile file = EventFile.open(path("tracks.kaon"));
        Batches batches =
            file.category("events").read("Tracks", "Tracks.particle.PDG", "Tracks.hits.energy")) {
      Batch batch = batches.next();
      assertEquals("toy::Track", batch.column("Tracks").field().datatype());
      assertEquals(-1, batch.column("Tracks.particle.index").getInt(1));
      assertEquals("Hits", batch.column("Tracks.hits.collection").getString(0));
      Column codes = batch.column("Tracks.particle.PDG");
      assertEquals(13, codes.children().get(0).getDouble(0));
      Column energies = batch.column("Tracks.hits.energy").children().get(0).children().get(0);
      assertArrayEquals(
          new float[] {2, 1, 3}, energies.values().toArray(ValueLayout.JAVA_FLOAT));
    }
  }

  @Test
  void batchesThatAreGoneAreNotWritten() {
    write(path("events.kaon"), events());
    try (EventFile file = EventFile.open(path("events.kaon"));
        EventWriter out = EventWriter.create(path("other.kaon"))) {
      Batches batches = file.category("events").read();
      Batch batch = batches.next();
      batches.close();
      assertThrows(IllegalStateException.class, () -> out.write("events", batch));
    }
  }

  @Test
  void aFinishedFileTakesNoMore() {
    try (EventWriter out = EventWriter.create(path("finished.kaon"))) {
      out.finish();
      assertFails(KaonException.Kind.USAGE, "finished", () -> out.write("events", events()));
      assertFails(KaonException.Kind.USAGE, "finished", out::finish);
    }
  }
}
