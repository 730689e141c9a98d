package kaon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Some entries in memory, as columns. Any thread may read it while it is there. */
public final class Batch {
  /** For the number of the first entry, where it is not known. */
  static final long UNKNOWN = -1;

  private final String where;
  private final ArrowStruct schema;
  private final ArrowStruct array;
  private final Arena arena = Arena.ofShared();
  private final Column entry;
  private final long first;

  Batch(String where, ArrowStruct schema, Field entry, ArrowStruct array, long first) {
    this.where = where;
    this.schema = schema;
    this.array = array;
    this.entry = new Column("", entry, array, arena);
    this.first = first;
  }

  /** {@return how many entries it has} */
  public long entries() {
    return entry.size();
  }

  /**
   * {@return the number of its first entry in the category, behind which the others follow} Throws
   * KaonException after a cut, where they do not: the column "dataset.entry", if it is read, has
   * their numbers.
   */
  public long firstEntry() {
    if (first == UNKNOWN) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          where
              + ": entries that pass a cut do not follow each other; read 'dataset.entry', which"
              + " has their numbers");
    }
    return first;
  }

  /** {@return its collections, parameters and values} */
  public List<Column> columns() {
    return entry.children();
  }

  /**
   * {@return the column of this name} Of "Muon" each value is an entry's list of muons, of
   * "Muon.pt" the values are those of all muons of all entries. Throws KaonException if it was not
   * read.
   *
   * @param name as it was read, or of what lies in that
   */
  public Column column(String name) {
    Column column = entry.find(name);
    if (column == null) {
      throw new KaonException(
          KaonException.Kind.NAME,
          where + ": '" + name + "' was not read; there are " + String.join(", ", entry.names()));
    }
    return column;
  }

  /** Writes it to a category of a file. */
  synchronized void writeTo(MemorySegment writer, String category) {
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException(where + ": the batch was closed");
    }
    Library.write(writer, category, schema.memory(), array.memory());
  }

  /** Frees its memory: whoever still reads it gets an IllegalStateException. */
  synchronized void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      array.release();
    }
  }
}
