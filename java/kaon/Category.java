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

  /** Its name. */
  public String name() {
    return name;
  }

  /** How many entries it has, whether they pass a cut or not. Of several files, opens them all. */
  public long entries() {
    return file.entries(name);
  }

  /** All that an entry has: collections, parameters and values. */
  public List<Field> fields() {
    try (Batches batches = new Batches(file, name, null, new String[0], 0, 0)) {
      return batches.fields();
    }
  }

  /**
   * Those entries for which an expression is true, such as "count(Muon[Muon.pt > 20]) >= 2", and
   * which have passed earlier cuts. What is wrong with it is said when something is read.
   */
  public Category filter(String expression) {
    return new Category(
        file, name, cut == null ? expression : "(" + cut + ") and (" + expression + ")");
  }

  /**
   * All entries, batch by batch. Columns are called "Muon.pt", "Muon" is all that lies below it; no
   * name is all columns. What is no name is an expression, which is computed: "max(Muon.pt)" is a
   * column that is called so. Throws KaonException for unknown ones. The caller closes it.
   */
  public Batches read(String... columns) {
    return new Batches(file, name, cut, columns, 0, END);
  }

  /**
   * The same of entries from `first` to before `last`, cut to what there is: they are counted
   * before any of them is left out.
   */
  public Batches read(long first, long last, String... columns) {
    if (first < 0 || last < first) {
      throw new KaonException(
          KaonException.Kind.USAGE, "there are no entries from " + first + " to before " + last);
    }
    return new Batches(file, name, cut, columns, first, last);
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
   * <p>Columns are named as for read(). What was exported goes on when the file is closed.
   */
  public void exportTo(long address, String... columns) {
    MemorySegment stream =
        MemorySegment.ofAddress(address).reinterpret(ArrowStruct.STREAM.byteSize());
    file.read(name, cut, columns, 0, END, stream);
  }
}
