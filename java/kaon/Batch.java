package kaon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Some entries in memory, as columns. Any number of threads may read it until it is closed. */
public final class Batch {
  /** The number of the first entry if it is unknown. */
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

  /** {@return the number of entries} */
  public long entries() {
    return entry.size();
  }

  /**
   * {@return the number of its first entry in the category} The others follow without gaps. Throws
   * KaonException after a cut, because entries then have gaps. In this case, read the column
   * "dataset.entry", which has their numbers.
   */
  public long firstEntry() {
    if (first == UNKNOWN) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          where
              + ": entries that pass a cut are not consecutive; read 'dataset.entry' for their"
              + " numbers");
    }
    return first;
  }

  /** {@return collections, parameters and values} */
  public List<Column> columns() {
    return entry.children();
  }

  /**
   * {@return the column of this name} Each value of "Muon" is an entry's list of muons. The values
   * of "Muon.pt" are those of all muons in all entries. Throws KaonException if the column was not
   * read.
   *
   * @param name a name that was read, or of a column below it
   */
  public Column column(String name) {
    Column column = entry.find(name);
    if (column == null) {
      throw new KaonException(
          KaonException.Kind.NAME,
          where
              + ": '"
              + name
              + "' was not read; the batch has "
              + String.join(", ", entry.names()));
    }
    return column;
  }

  /** Writes the batch to a category of a file. */
  synchronized void writeTo(MemorySegment writer, String category) {
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException(where + ": the batch was closed");
    }
    Library.write(writer, category, schema.memory(), array.memory());
  }

  /** Frees the memory. Columns that are read later throw an IllegalStateException. */
  synchronized void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      array.release();
    }
  }
}
