package kaon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that is being written. The suffix of its path selects the format; the default is kaon's:
 *
 * <pre>{@code
 * try (EventWriter out = EventWriter.create("muons.kaon")) {
 *   out.write("events", new Columns()
 *       .add("run", runs)
 *       .add("Muon", Values.list(begins, new Columns().add("pt", pt).add("charge", charge))));
 *   out.finish();
 * }
 * }</pre>
 *
 * <p>The file takes its place in finish(). If an error occurs before, the old file stays, and the
 * written part remains as PATH.part. For one thread at a time.
 */
public final class EventWriter implements AutoCloseable {
  private final String path;
  private MemorySegment writer;

  private EventWriter(String path, String codec, int level) {
    this.path = path;
    writer = Library.create(path, codec, level);
  }

  /**
   * {@return a new file with kaon's default compression}
   *
   * @param path its suffix selects the format
   */
  public static EventWriter create(String path) {
    return new EventWriter(path, null, 0);
  }

  /**
   * {@return a new file with kaon's default compression}
   *
   * @param path its suffix selects the format
   */
  public static EventWriter create(Path path) {
    return create(path.toString());
  }

  /**
   * {@return a new file with the compression of a codec} Throws KaonException for an unknown codec.
   *
   * @param path its suffix selects the format
   * @param codec "none", "lz4", "zstd", "zlib" or "lzma"
   * @param level a level of the codec
   */
  public static EventWriter create(String path, String codec, int level) {
    return new EventWriter(path, codec, level);
  }

  /**
   * Appends entries to a category. Numbers and texts become values, lists of columns become
   * collections, and other lists become parameters. Throws KaonException for columns that do not
   * fit to earlier entries.
   *
   * @param category such as "events"
   * @param entries a column for each value, collection and parameter
   */
  public void write(String category, Columns entries) {
    checkOpen();
    try (Arena arena = Arena.ofConfined()) {
      Library.write(
          writer, category, entries.schema("", arena).memory(), entries.array(arena).memory());
    }
  }

  /**
   * Appends the entries of a batch as they are stored. This keeps objects, their relations, and the
   * meaning of members; copy their model with copyDocuments(). Computed columns become values or
   * parameters with the expression as their name.
   *
   * <pre>{@code
   * try (EventFile file = EventFile.open("run.kaon");
   *     Batches batches = file.category("events").filter("count(Muon) >= 2").read();
   *     EventWriter out = EventWriter.create("muons.kaon")) {
   *   out.copyDocuments(file);
   *   for (Batch batch : batches) {
   *     out.write("events", batch);
   *   }
   *   out.finish();
   * }
   * }</pre>
   *
   * @param category such as "events"
   * @param entries a batch that is still valid
   */
  public void write(String category, Batch entries) {
    checkOpen();
    entries.writeTo(writer, category);
  }

  /**
   * Copies the models and the metadata of a file. Metadata keys that were set before are kept.
   *
   * @param file an open file
   */
  public void copyDocuments(EventFile file) {
    checkOpen();
    file.copyDocuments(writer);
  }

  /**
   * Sets a text of the file's metadata. Replaces an earlier value of the key.
   *
   * @param key the key
   * @param value the text
   */
  public void setMetadata(String key, String value) {
    checkOpen();
    Library.setMetadata(writer, key, value);
  }

  /** Completes the file and moves it to its place. Throws KaonException if that fails. */
  public void finish() {
    checkOpen();
    MemorySegment finished = writer;
    writer = null;
    Library.finish(finished);
  }

  /** Gives up the file, unless it was finished. */
  @Override
  public void close() {
    if (writer != null) {
      Library.abandon(writer);
      writer = null;
    }
  }

  private void checkOpen() {
    if (writer == null) {
      throw new KaonException(
          KaonException.Kind.USAGE, path + ": the file was finished or discarded");
    }
  }
}
