package kaon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Columns of the same length by name, for entries or for the objects of a collection. */
public final class Columns extends Values {
  private final Map<String, Values> columns = new LinkedHashMap<>();
  private final String datatype;
  private int size = 0;

  /** Begins without columns, for entries or for objects without a model. */
  public Columns() {
    this("");
  }

  /**
   * Begins without columns, for objects.
   *
   * @param datatype their datatype in a model, such as "edm4hep::Track"
   */
  public Columns(String datatype) {
    this.datatype = Objects.requireNonNull(datatype, "the datatype must not be null");
  }

  /**
   * {@return this, with a further column} Throws KaonException if its length differs from the other
   * columns, or the name is taken.
   *
   * @param name such as "pt"
   * @param values an array as for Values.of(), or Values
   */
  public Columns add(String name, Object values) {
    Objects.requireNonNull(name, "the name of a column must not be null");
    Values column = Values.of(values);
    if (!columns.isEmpty() && column.size() != size) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          "'" + name + "' has " + column.size() + " values, but earlier columns have " + size);
    }
    if (columns.putIfAbsent(name, column) != null) {
      throw new KaonException(
          KaonException.Kind.USAGE, "there is a column '" + name + "' already");
    }
    size = column.size();
    return this;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  String format() {
    return "+s";
  }

  @Override
  List<MemorySegment> buffers(Arena arena) {
    return List.of(MemorySegment.NULL);
  }

  @Override
  String datatype() {
    return datatype;
  }

  @Override
  Map<String, Values> children() {
    return columns;
  }
}
