package kaon;

import static kaon.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files of ROOT and podio, whose contents the C++ tests state. */
class EventFileTest {
  @TempDir Path folder;

  private static EventFile open(String name) {
    return EventFile.open(Path.of(System.getProperty("kaon.test.data"), name));
  }

  @Test
  void treesAreRead() {
    try (EventFile file = open("root/ttree_dirs.root");
        Batches batches = file.category("a/b/t").read()) {
      assertEquals(
          List.of("empty", "nobranches", "a/b/t"),
          file.categories().stream().map(Category::name).toList());
      assertTrue(file.toString().endsWith("ttree_dirs.root: empty, nobranches, a/b/t"));
      Batch batch = batches.next();
      assertEquals(20, batch.entries());
      Column numbers = batch.column("i64");
      assertEquals(-8797857673641491083L, numbers.getLong(0));
      assertEquals(Long.MAX_VALUE, numbers.getLong(1));
      assertEquals(0x1p63, numbers.getDouble(1));
      Column lists = batch.column("v_f32");
      assertEquals(5, lists.count(0));
      Column floats = lists.children().get(0);
      assertEquals(10.051578F, floats.getFloat(0));
      assertEquals(Float.NEGATIVE_INFINITY, floats.getFloat(lists.begin(2)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"podio/toy.ttree.root", "podio/toy.rntuple.root"})
  void objectsAndTheirRelationsAreRead(String name) {
    try (EventFile file = open(name);
        Batches batches = file.category("events").read("Particles", "Hits")) {
      Batch batch = batches.next();
      assertEquals(9, batch.entries());
      Column particles = batch.column("Particles");
      assertEquals("toy::Particle", particles.field().datatype());
      assertEquals("GeV", batch.column("Particles.mass").field().unit());
      assertEquals(Field.Type.BOOL, batch.column("Particles.isStable").field().type());
      Column spin = batch.column("Particles.spin");
      assertEquals(2, spin.field().size());
      assertEquals(2 * spin.size(), spin.children().get(0).size());
      Column parents = batch.column("Particles.parents");
      Column index = batch.column("Particles.parents.index");
      Column collection = batch.column("Particles.parents.collection");
      long entry = 0;
      for (long row = 0; row < particles.size(); ++row) {
        while (row >= particles.end(entry)) {
          ++entry;
        }
        for (long parent = parents.begin(row); parent < parents.end(row); ++parent) {
          assertEquals("Particles", collection.getString(parent));
          assertTrue(index.getInt(parent) < particles.count(entry));
        }
      }
      assertTrue(index.size() > 0);
    }
  }

  @Test
  void numbersWithoutASignAreRead() {
    try (EventFile file = open("podio/toy.ttree.root");
        Batches batches = file.category("events").read("Tracks.counts", "Hits.cellID")) {
      Batch batch = batches.next();
      Column counts = batch.column("Tracks.counts").children().get(0);
      Column cells = batch.column("Hits.cellID");
      assertEquals(Field.Type.UINT16, counts.field().type());
      assertTrue(counts.size() > 0);
      for (long i = 0; i < counts.size(); ++i) {
        assertEquals(Short.toUnsignedInt(counts.getShort(i)), counts.getInt(i));
        assertEquals(counts.getDouble(i), counts.getLong(i));
      }
      assertEquals(17482144350526720241.0, cells.getDouble(2));
      assertEquals("17482144350526720241", Long.toUnsignedString(cells.getLong(2)));
    }
  }

  @Test
  void absentCollectionsAreNotPresent() {
    try (EventFile file = open("podio/toy.ttree.root");
        Batches batches = file.category("events").read("odd", "number")) {
      Batch batch = batches.next();
      for (long entry = 0; entry < batch.entries(); ++entry) {
        assertEquals(entry % 2 == 1, batch.column("odd").isPresent(entry));
        assertTrue(batch.column("number").isPresent(entry));
      }
    }
  }

  @Test
  void unknownNamesAreErrors() {
    try (EventFile file = open("podio/toy.ttree.root")) {
      assertFails(KaonException.Kind.NAME, "the file has events", () -> file.category("event"));
      Category events = file.category("events");
      assertFails(KaonException.Kind.NAME, "did you mean 'Particles.mass'",
          () -> events.read("Particles.mas"));
      assertFails(KaonException.Kind.USAGE, "first (3) must be at least 0 and must not exceed last",
          () -> events.read(3, 2));
      try (Batches batches = events.read("Particles.mass")) {
        Batch batch = batches.next();
        assertFails(KaonException.Kind.NAME,
            "toy.ttree.root:events: 'Particles.PDG' was not read; the batch has Particles",
            () -> batch.column("Particles.PDG"));
        assertFails(KaonException.Kind.TYPE, "'Particles.mass' is of type FLOAT64 and has no float",
            () -> batch.column("Particles.mass").getFloat(0));
        assertFails(KaonException.Kind.TYPE, "'Particles.mass' is of type FLOAT64 and has no list",
            () -> batch.column("Particles.mass").begin(0));
      }
    }
  }

  @Test
  void filesMayHaveNoCategories() {
    Path empty = folder.resolve("empty.kaon");
    try (EventWriter out = EventWriter.create(empty)) {
      out.finish();
    }
    try (EventFile file = EventFile.open(empty)) {
      assertFails(KaonException.Kind.NAME, "no category 'events'; the file has no categories",
          () -> file.category("events"));
    }
  }

  @Test
  void filesThatCannotBeReadAreErrors() throws Exception {
    Path text = Files.writeString(folder.resolve("text.kaon"), "no events");
    assertFails(KaonException.Kind.MISSING, "nothing.kaon",
        () -> EventFile.open(folder.resolve("nothing.kaon")));
    assertFails(KaonException.Kind.VERSION, "text.kaon", () -> EventFile.open(text));
  }

  @Test
  void damageIsAnError() throws Exception {
    Path path = folder.resolve("damaged.kaon");
    try (EventWriter out = EventWriter.create(path.toString(), "none", 0)) {
      out.write("events", new Columns().add("x", new java.util.Random(1).doubles(1000).toArray()));
      out.finish();
    }
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length / 2] ^= 1;
    Files.write(path, bytes);
    try (EventFile file = EventFile.open(path); Batches batches = file.category("events").read()) {
      assertFails(KaonException.Kind.CORRUPT, "damaged.kaon", batches::hasNext);
    }
  }

  @Test
  void memoryIsThereAsLongAsItsBatch() {
    EventFile file = open("root/ttree_dirs.root");
    Category tree = file.category("a/b/t");
    Batches batches = tree.read("i64");
    file.close(); // batches that are being read stay open
    Column numbers = batches.next().column("i64");
    assertEquals(1, numbers.getLong(4));
    assertFalse(batches.hasNext());
    assertEquals(1, numbers.getLong(4));
    batches.close();
    batches.close();
    assertThrows(IllegalStateException.class, () -> numbers.getLong(4));
    assertFails(KaonException.Kind.USAGE, "the file was closed", () -> tree.read("i64"));
  }

  @Test
  void batchesCanBeClosedWhileAnotherThreadGoesOn() throws Exception {
    try (EventFile file = open("podio/toy.ttree.root")) {
      for (int i = 0; i < 200; ++i) {
        Batches batches = file.category("events").read("Particles");
        Thread other = new Thread(() -> {
          try {
            while (batches.hasNext()) {
              batches.next();
            }
          } catch (KaonException closed) {
            assertEquals(KaonException.Kind.USAGE, closed.kind());
          }
        });
        other.start();
        batches.close();
        other.join();
      }
    }
  }

  @Test
  void textsThatAreNoneAreErrors() {
    assertFails(KaonException.Kind.USAGE, "the path must not contain the character 0",
        () -> EventFile.open("a\0b"));
    assertThrows(NullPointerException.class, () -> EventFile.open((String) null));
    assertFails(KaonException.Kind.USAGE, "at least one file", () -> EventFile.open());
  }

  @Test
  void exportedStreamsAreArrows() {
    try (Arena arena = Arena.ofConfined()) {
      ArrowStruct stream = new ArrowStruct(ArrowStruct.STREAM, arena.allocate(ArrowStruct.STREAM));
      assertTrue(stream.isReleased());
      try (EventFile file = open("root/ttree_dirs.root")) {
        file.category("a/b/t").exportTo(stream.memory().address(), "i64");
      }
      assertFalse(stream.isReleased());
      stream.release();
      assertTrue(stream.isReleased());
    }
  }
}
