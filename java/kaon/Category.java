package kaon;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A named series of entries in a file, such as "events", or only the entries that pass a cut. Any
 * number of threads may use it until the file is closed.
 */
public final class Category {
  private static final long END = -1; // the largest unsigned number in C

  private final EventFile file;
  private final String name;
  private final String cut;

  Category(EventFile file, String name) {
    this(file, name, null);
  }

  private Category(EventFile file, String name, String cut) {
    this.file = file;
    this.name = name;
    this.cut = cut;
  }

  /** {@return its name} */
  public String name() {
    return name;
  }

  /**
   * {@return the number of entries, including those that do not pass the cut} Opens all files if
   * there are several.
   */
  public long entries() {
    return file.entries(name);
  }

  /** {@return the fields of an entry: collections, parameters and values} */
  public List<Field> fields() {
    try (Batches batches = new Batches(file, name, null, new String[0], 0, 0)) {
      return batches.fields();
    }
  }

  /**
   * {@return the entries for which an expression and all earlier cuts are true} Mistakes in the
   * expression are reported when entries are read.
   *
   * @param expression such as "count(Muon[Muon.pt > 20]) >= 2"
   */
  public Category filter(String expression) {
    return new Category(
        file, name, cut == null ? expression : "(" + cut + ") and (" + expression + ")");
  }

  /**
   * {@return all entries, batch by batch; the caller must close them} Throws KaonException for
   * unknown columns.
   *
   * @param columns names such as "Muon.pt", or "Muon" for all columns below it; without arguments,
   *     all columns. Other arguments are expressions: "max(Muon.pt)" is computed, and its column
   *     has this name
   */
  public Batches read(String... columns) {
    return new Batches(file, name, cut, columns, 0, END);
  }

  /**
   * {@return the entries of a range, limited to existing entries} Entries are counted before cuts.
   *
   * @param first the number of the first entry
   * @param last the number of the last entry, plus 1
   * @param columns as for all entries
   */
  public Batches read(long first, long last, String... columns) {
    if (first < 0 || last < first) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          "first (" + first + ") must be at least 0 and must not exceed last (" + last + ")");
    }
    return new Batches(file, name, cut, columns, first, last);
  }

  /** {@return the name, with the cut if there is one: "events[count(Muon) > 1]"} */
  @Override
  public String toString() {
    return cut == null ? name : name + "[" + cut + "]";
  }

  /**
   * Exports a stream of all entries to the caller's ArrowArrayStream, for other libraries:
   *
   * <pre>{@code
   * try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
   *   events.exportTo(stream.memoryAddress(), "Muon");
   *   ArrowReader reader = Data.importArrayStream(allocator, stream);
   * }
   * }</pre>
   *
   * <p>The stream stays valid when the file is closed.
   *
   * @param address the address of the struct
   * @param columns as for read()
   */
  public void exportTo(long address, String... columns) {
    MemorySegment stream =
        MemorySegment.ofAddress(address).reinterpret(ArrowStruct.STREAM.byteSize());
    file.read(name, cut, columns, 0, END, stream);
  }
}
