package kaon;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A named series of entries in a file, such as "events", or those of them that pass a cut. Any
 * thread, until the file is closed.
 */
public final class Category {
  private static final long END = -1; // for C, to which it has no sign

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
   * {@return how many entries it has, whether they pass a cut or not} Of several files, opens them
   * all.
   */
  public long entries() {
    return file.entries(name);
  }

  /** {@return all that an entry has: collections, parameters and values} */
  public List<Field> fields() {
    try (Batches batches = new Batches(file, name, null, new String[0], 0, 0)) {
      return batches.fields();
    }
  }

  /**
   * {@return those entries for which an expression is true, and which have passed earlier cuts}
   * What is wrong with it is said when something is read.
   *
   * @param expression such as "count(Muon[Muon.pt > 20]) >= 2"
   */
  public Category filter(String expression) {
    return new Category(
        file, name, cut == null ? expression : "(" + cut + ") and (" + expression + ")");
  }

  /**
   * {@return all entries, batch by batch, which the caller closes} Throws KaonException for unknown
   * columns.
   *
   * @param columns such as "Muon.pt", or "Muon" for all that lies below it; none are all. What is
   *     no name is an expression, which is computed: "max(Muon.pt)" is a column that is called so
   */
  public Batches read(String... columns) {
    return new Batches(file, name, cut, columns, 0, END);
  }

  /**
   * {@return the same of a range, cut to what there is} Entries are counted before any of them is
   * left out.
   *
   * @param first the number of the first entry
   * @param last the number of the one behind the last
   * @param columns as for all entries
   */
  public Batches read(long first, long last, String... columns) {
    if (first < 0 || last < first) {
      throw new KaonException(
          KaonException.Kind.USAGE, "there are no entries from " + first + " to before " + last);
    }
    return new Batches(file, name, cut, columns, first, last);
  }

  /** {@return its name, with its cut if it has one: "events[count(Muon) > 1]"} */
  @Override
  public String toString() {
    return cut == null ? name : name + "[" + cut + "]";
  }

  /**
   * Makes a stream of all entries in an ArrowArrayStream of whoever calls, for other libraries:
   *
   * <pre>{@code
   * try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
   *   events.exportTo(stream.memoryAddress(), "Muon");
   *   ArrowReader reader = Data.importArrayStream(allocator, stream);
   * }
   * }</pre>
   *
   * <p>What was exported goes on when the file is closed.
   *
   * @param address of the struct
   * @param columns as for read()
   */
  public void exportTo(long address, String... columns) {
    MemorySegment stream =
        MemorySegment.ofAddress(address).reinterpret(ArrowStruct.STREAM.byteSize());
    file.read(name, cut, columns, 0, END, stream);
  }
}
