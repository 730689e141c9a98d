package kaon;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A file of any format that kaon reads, or several files that are read in sequence like one file:
 *
 * <pre>{@code
 * try (EventFile file = EventFile.open("events.hipo");
 *     Batches batches = file.category("events").read("REC::Particle.px")) {
 *   for (Batch batch : batches) {
 *     Column particles = batch.column("REC::Particle");
 *     Column px = batch.column("REC::Particle.px");
 *     for (long event = 0; event < batch.entries(); ++event) {
 *       for (long row = particles.begin(event), end = particles.end(event); row < end; ++row) {
 *         sum += px.getFloat(row);
 *       }
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Any number of threads may use it until it is closed.
 */
public final class EventFile implements AutoCloseable {
  private final String name;
  private final MemorySegment file;
  private final List<Category> categories;
  private boolean isClosed = false;

  private EventFile(String[] paths) {
    file = Library.open(paths);
    name = paths.length == 1 ? paths[0] : paths[0] + " and " + (paths.length - 1) + " more";
    categories =
        Library.categories(file).stream().map(category -> new Category(this, category)).toList();
  }

  /**
   * {@return an open file, or several files as one} The first file is opened immediately and
   * defines the categories and columns. The others are opened in turn and must have them, too.
   * Throws KaonException for files that are missing, unreadable or damaged.
   *
   * @param paths paths, URLs, or shell patterns such as "run7/*.hipo", which mean all matching
   *     files in the order of their names
   */
  public static EventFile open(String... paths) {
    return new EventFile(paths);
  }

  /**
   * {@return an open file}
   *
   * @param path the path of a file
   */
  public static EventFile open(Path path) {
    return new EventFile(new String[] {path.toString()});
  }

  /** {@return the paths that were opened: "events.hipo", "run7/*.hipo", or "a.hipo and 2 more"} */
  public String name() {
    return name;
  }

  /**
   * {@return the keys and values of the metadata; with several files, those of the first one}
   * Values that are not texts are JSON: numbers, true, false, lists. For a HIPO file, this is the
   * user configuration.
   */
  public synchronized Map<String, String> metadata() {
    return Library.metadata(open());
  }

  /** {@return all categories} */
  public List<Category> categories() {
    return categories;
  }

  /**
   * {@return the category of this name} Throws KaonException if the file does not have it.
   *
   * @param name such as "events"
   */
  public Category category(String name) {
    for (Category category : categories) {
      if (category.name().equals(name)) {
        return category;
      }
    }
    String others = String.join(", ", categories.stream().map(Category::name).toList());
    throw new KaonException(
        KaonException.Kind.NAME,
        this.name
            + ": there is no category '"
            + name
            + "'; "
            + (others.isEmpty() ? "the file has no categories" : "the file has " + others));
  }

  /** {@return the name, and the names of the categories, even if the file is closed} */
  @Override
  public String toString() {
    return name + ": " + String.join(", ", categories.stream().map(Category::name).toList());
  }

  /** Closes the file. Batches that are being read stay valid. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      Library.close(file);
    }
  }

  synchronized long entries(String category) {
    return Library.entries(open(), category);
  }

  /** Exports a stream of a category. */
  synchronized void read(
      String category, String cut, String[] columns, long first, long last, MemorySegment stream) {
    Library.read(open(), category, cut, columns, first, last, stream);
  }

  synchronized void copyDocuments(MemorySegment writer) {
    Library.copyDocuments(writer, open());
  }

  private MemorySegment open() {
    if (isClosed) {
      throw new KaonException(KaonException.Kind.USAGE, name + ": the file was closed");
    }
    return file;
  }
}
