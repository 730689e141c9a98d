package kaon;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** A named series of entries in a file, such as "events". Any thread, until the file is closed. */
public final class Category {
  private final EventFile file;
  private final String name;
  private final long entries;

  Category(EventFile file, String name, long entries) {
    this.file = file;
    this.name = name;
    this.entries = entries;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** How many entries it has. */
  public long entries() {
    return entries;
  }

  /** All that an entry has: collections, parameters and values. */
  public List<Field> fields() {
    try (Batches batches = read()) {
      return batches.fields();
    }
  }

  /**
   * All entries, batch by batch. Columns are called "Muon.pt", "Muon" is all that lies below it; no
   * name is all columns. Throws KaonException for unknown ones. The caller closes it.
   */
  public Batches read(String... columns) {
    return read(0, entries, columns);
  }

  /** The same of entries from `first` to before `last`, cut to what there is. */
  public Batches read(long first, long last, String... columns) {
    if (first < 0 || last < first) {
      throw new KaonException(
          KaonException.Kind.USAGE, "there are no entries from " + first + " to before " + last);
    }
    return new Batches(file, name, columns, first, last);
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
    file.read(name, columns, 0, entries, stream);
  }
}
