package kaon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that is being written, of the format that its path's suffix says, or else kaon's:
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
 * <p>It takes its place when it is finished: if anything goes wrong before, what was there is still
 * there, and what was written lies beside it, as PATH.part. For one thread at a time.
 */
public final class EventWriter implements AutoCloseable {
  private final String path;
  private MemorySegment writer;

  private EventWriter(String path, String codec, int level) {
    this.path = path;
    writer = Library.create(path, codec, level);
  }

  /**
   * {@return a file that was begun, and is compressed as kaon does unless it is told}
   *
   * @param path whose suffix says the format
   */
  public static EventWriter create(String path) {
    return new EventWriter(path, null, 0);
  }

  /**
   * {@return the same of a path}
   *
   * @param path whose suffix says the format
   */
  public static EventWriter create(Path path) {
    return create(path.toString());
  }

  /**
   * {@return the same, compressed by a codec} Throws KaonException if there is none such.
   *
   * @param path whose suffix says the format
   * @param codec "none", "lz4", "zstd", "zlib" or "lzma"
   * @param level one that the codec has
   */
  public static EventWriter create(String path, String codec, int level) {
    return new EventWriter(path, codec, level);
  }

  /**
   * Appends entries to a category. Numbers and texts become values, lists of columns collections,
   * other lists parameters. Throws KaonException for what does not fit to earlier entries.
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
   * Appends the entries of a batch, as they are stored: objects, their relations and what their
   * members mean are kept, and their model if it is copied. What was computed becomes a value or
   * parameter that is called as its expression.
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
   * @param entries those of a batch that is still there
   */
  public void write(String category, Batch entries) {
    checkOpen();
    entries.writeTo(writer, category);
  }

  /**
   * Takes over what a file says about itself: its models, and its metadata but for keys that are
   * set.
   *
   * @param file one that is open
   */
  public void copyDocuments(EventFile file) {
    checkOpen();
    file.copyDocuments(writer);
  }

  /**
   * Sets a text of the file's metadata, in place of one of this key.
   *
   * @param key by which it is found
   * @param value the text
   */
  public void setMetadata(String key, String value) {
    checkOpen();
    Library.setMetadata(writer, key, value);
  }

  /** Completes the file and puts it in its place. Throws KaonException if that fails. */
  public void finish() {
    checkOpen();
    MemorySegment finished = writer;
    writer = null;
    Library.finish(finished);
  }

  /** Gives up, unless it was finished. */
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
          KaonException.Kind.USAGE, path + ": the file was finished, or given up");
    }
  }
}
