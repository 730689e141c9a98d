package kaon;

import java.lang.foreign.Arena;
import java.util.List;

/** Some entries in memory, as columns. Any thread may read it while it is there. */
public final class Batch {
  private final String where;
  private final ArrowStruct array;
  private final Arena arena = Arena.ofShared();
  private final Column entry;
  private final long first;

  Batch(String where, Field entry, ArrowStruct array, long first) {
    this.where = where;
    this.array = array;
    this.entry = new Column("", entry, array, arena);
    this.first = first;
  }

  /** How many entries it has. */
  public long entries() {
    return entry.size();
  }

  /** The number of its first entry in the category. */
  public long firstEntry() {
    return first;
  }

  /** Its collections, parameters and values. */
  public List<Column> columns() {
    return entry.children();
  }

  /**
   * The column of this name, such as "Muon", of which each value is an entry's list of muons, or
   * "Muon.pt", the values of all muons of all entries. Throws KaonException if it was not read.
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

  /** Frees its memory: whoever still reads it gets an IllegalStateException. */
  void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      array.release();
    }
  }
}
