package kaon;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A file of any format that kaon knows, open for reading, or several files that are read one after
 * another as if they were one:
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
 * <p>Any number of threads may use it, until it is closed.
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
   * {@return a file that is open, or several as one} The first is opened at once and says what
   * there is; the others, when their turn comes, must have it, too. Throws KaonException if there
   * is none, or it cannot be read or is damaged.
   *
   * @param paths or URLs, or patterns as a shell's, such as "run7/*.hipo", for all files that are
   *     called so, in the order of their names
   */
  public static EventFile open(String... paths) {
    return new EventFile(paths);
  }

  /**
   * {@return the same of a path}
   *
   * @param path of a file
   */
  public static EventFile open(Path path) {
    return new EventFile(new String[] {path.toString()});
  }

  /** {@return what it was opened by: "events.hipo", "run7/*.hipo", or "a.hipo and 2 more"} */
  public String name() {
    return name;
  }

  /**
   * {@return keys and values that the file, of several the first one, has about itself} Values that
   * are no texts are JSON: numbers, true, false, lists. A HIPO file's are its user configuration.
   */
  public synchronized Map<String, String> metadata() {
    return Library.metadata(open());
  }

  /** {@return all of its categories} */
  public List<Category> categories() {
    return categories;
  }

  /**
   * {@return the category of this name} Throws KaonException if there is none.
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
            + (others.isEmpty() ? "it has none" : "there are " + others));
  }

  /** {@return its name and those of its categories, whether it is open or not} */
  @Override
  public String toString() {
    return name + ": " + String.join(", ", categories.stream().map(Category::name).toList());
  }

  /** Closes it. What is read of it already can be used on. */
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

  /** Makes a stream in memory for one. */
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
