package kaon;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of any format that kaon knows, open for reading:
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
  private final String path;
  private final MemorySegment file;
  private final List<Category> categories = new ArrayList<>();
  private boolean isClosed = false;

  private EventFile(String path) {
    this.path = path;
    file = Library.open(path);
    try {
      for (long i = 0; i < Library.categoryCount(file); ++i) {
        Library.CategoryOverview overview = Library.category(file, i);
        categories.add(new Category(this, overview.name(), overview.entries()));
      }
    } catch (RuntimeException error) {
      close();
      throw error;
    }
  }

  /** Opens a file by its path or URL. Throws KaonException if it cannot be read, or is damaged. */
  public static EventFile open(String path) {
    return new EventFile(path);
  }

  /** The same of a path. */
  public static EventFile open(Path path) {
    return new EventFile(path.toString());
  }

  /** The path or URL that it was opened by. */
  public String path() {
    return path;
  }

  /** All of its categories. */
  public List<Category> categories() {
    return List.copyOf(categories);
  }

  /** The category of this name. Throws KaonException if there is none. */
  public Category category(String name) {
    for (Category category : categories) {
      if (category.name().equals(name)) {
        return category;
      }
    }
    throw new KaonException(
        KaonException.Kind.NAME,
        path
            + ": there is no category '"
            + name
            + "'; there are "
            + String.join(", ", categories.stream().map(Category::name).toList()));
  }

  /** Closes it. What is read of it already can be used on. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      Library.close(file);
    }
  }

  /** Makes a stream in memory for one. */
  synchronized void read(
      String category, String[] columns, long first, long last, MemorySegment stream) {
    if (isClosed) {
      throw new KaonException(KaonException.Kind.USAGE, path + ": the file was closed");
    }
    Library.read(file, category, columns, first, last, stream);
  }
}
