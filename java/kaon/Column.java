package kaon;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of one field in a batch, in order. A value has one for each entry; a member has those
 * of all objects. The column uses the memory of the batch without copying and is valid as long as
 * the batch.
 *
 * <p>Read numbers with the getter of their type. Whole numbers can be read with the getter of a
 * larger type, and all numbers with getDouble(). An unsigned number becomes signed in the getter of
 * its own size; Integer.toUnsignedLong() and similar functions convert it back.
 *
 * <p>A value can be missing if the field can be absent, or one around it, such as the component or
 * array that it is in. isPresent() tells. Getters of numbers throw a KaonException for a missing
 * value, never return 0.
 */
public final class Column {
  private static final Field TEXT =
      new Field("", Field.Type.STRING, 1, "", "", "", false, List.of());

  private final String name;
  private final Field field;
  private final Field.Type type; // a copy of the field's, which is faster in loops
  private final long size;
  private final MemorySegment present;
  private final Column around; // the record or array whose values can be missing, or null
  private final boolean hasMissing;
  private final MemorySegment values;
  private final MemorySegment offsets;
  private final Column dictionary;
  private final List<Column> children = new ArrayList<>();

  /** The arrays must not have an offset; kaon's arrays never do. */
  Column(String name, Field field, ArrowStruct array, Arena arena) {
    this(name, field, array, arena, null);
  }

  private Column(String name, Field field, ArrowStruct array, Arena arena, Column around) {
    this.name = name;
    this.around = around;
    this.field = field;
    type = field.type();
    size = array.number("length");
    boolean hasDictionary = !array.address("dictionary").equals(MemorySegment.NULL);
    boolean hasOffsets =
        type == Field.Type.LIST || type == Field.Type.STRING && !hasDictionary;
    present = array.number("null_count") == 0 ? null : buffer(array, 0, bits(size), arena);
    hasMissing = present != null || around != null;
    offsets = hasOffsets ? buffer(array, 1, (size + 1) * Long.BYTES, arena) : null;
    dictionary =
        hasDictionary ? new Column(name, TEXT, array.dictionary(), arena) : null;
    values =
        switch (type) {
          case LIST, ARRAY, RECORD -> null;
          case BOOL -> buffer(array, 1, bits(size), arena);
          case STRING ->
              hasDictionary
                  ? buffer(array, 1, size * Integer.BYTES, arena)
                  : buffer(array, 2, end(size - 1), arena);
          default -> buffer(array, 1, size * type.bytes, arena);
        };
    for (int i = 0; i < field.children().size(); ++i) {
      Field child = field.children().get(i);
      String below = type == Field.Type.RECORD ? join(name, child.name()) : name;
      children.add(new Column(below, child, array.child(i), arena, aroundChildren()));
    }
  }

  /** Returns this if the children can lack values because this does. */
  private Column aroundChildren() {
    boolean isAround = type == Field.Type.RECORD || type == Field.Type.ARRAY;
    return isAround && hasMissing ? this : null;
  }

  /** {@return the name in the category: "Muon.pt"} */
  public String name() {
    return name;
  }

  /** {@return the field with type, unit and description} */
  public Field field() {
    return field;
  }

  /** {@return the number of values} */
  public long size() {
    return size;
  }

  /** {@return the members of a RECORD, or the elements of a LIST or ARRAY as one column} */
  public List<Column> children() {
    return List.copyOf(children);
  }

  /**
   * {@return the start of a LIST's elements in the columns of elements}
   *
   * @param index the index of a value of the column
   */
  public long begin(long index) {
    return offset(index);
  }

  /**
   * {@return the end of a LIST's elements}
   *
   * @param index the index of a value of the column
   */
  public long end(long index) {
    return offset(index + 1);
  }

  /**
   * {@return the number of a LIST's elements}
   *
   * @param index the index of a value of the column
   */
  public long count(long index) {
    return offset(index + 1) - offset(index);
  }

  /**
   * {@return whether there is a value} A value is missing, too, if the component or array that it is
   * in is missing.
   *
   * @param index the index of a value of the column
   */
  public boolean isPresent(long index) {
    if (!hasMissing) {
      return true;
    }
    if (present != null && !bit(present, index)) {
      return false;
    }
    return around == null
        || around.isPresent(around.type == Field.Type.ARRAY ? index / around.field.size() : index);
  }

  /** {@return whether values of this batch are missing} If not, isPresent() is always true. */
  public boolean hasMissing() {
    return hasMissing;
  }

  /**
   * {@return a truth value} Throws KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public boolean getBoolean(long index) {
    check(type == Field.Type.BOOL, "boolean");
    requireValue(index);
    return bit(values, index);
  }

  /**
   * {@return a whole number of 8 bits} Throws KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public byte getByte(long index) {
    check(type == Field.Type.INT8 || type == Field.Type.UINT8, "byte");
    requireValue(index);
    return values.get(JAVA_BYTE, index);
  }

  /**
   * {@return a whole number of 16 bits} Throws KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public short getShort(long index) {
    check(type == Field.Type.INT16 || type == Field.Type.UINT16, "short");
    requireValue(index);
    return values.getAtIndex(JAVA_SHORT, index);
  }

  /**
   * {@return a whole number of up to 32 bits} Throws KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public int getInt(long index) {
    requireValue(index);
    if (type == Field.Type.INT32 || type == Field.Type.UINT32) {
      return values.getAtIndex(JAVA_INT, index);
    }
    return smallNumber(index, "int");
  }

  /**
   * {@return a whole number of any type} Throws KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public long getLong(long index) {
    requireValue(index);
    if (type == Field.Type.INT64 || type == Field.Type.UINT64) {
      return values.getAtIndex(JAVA_LONG, index);
    }
    if (type == Field.Type.UINT32) {
      return Integer.toUnsignedLong(values.getAtIndex(JAVA_INT, index));
    }
    return type == Field.Type.INT32
        ? values.getAtIndex(JAVA_INT, index)
        : smallNumber(index, "long");
  }

  /**
   * {@return a float} Throws KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public float getFloat(long index) {
    check(type == Field.Type.FLOAT32, "float");
    requireValue(index);
    return values.getAtIndex(JAVA_FLOAT, index);
  }

  /**
   * {@return a number of any type; for whole numbers of 64 bits, the nearest double} Throws
   * KaonException if it is missing.
   *
   * @param index the index of a value of the column
   */
  public double getDouble(long index) {
    requireValue(index);
    return switch (type) {
      case BOOL -> bit(values, index) ? 1 : 0;
      case INT8, UINT8, INT16, UINT16 -> smallNumber(index, "number");
      case INT32 -> values.getAtIndex(JAVA_INT, index);
      case UINT32 -> Integer.toUnsignedLong(values.getAtIndex(JAVA_INT, index));
      case INT64 -> values.getAtIndex(JAVA_LONG, index);
      case UINT64 -> unsignedToDouble(values.getAtIndex(JAVA_LONG, index));
      case FLOAT32 -> values.getAtIndex(JAVA_FLOAT, index);
      case FLOAT64 -> values.getAtIndex(JAVA_DOUBLE, index);
      default -> throw wrongType("number");
    };
  }

  /**
   * {@return a text, or an empty text if it is missing}
   *
   * @param index the index of a value of the column
   */
  public String getString(long index) {
    check(type == Field.Type.STRING, "text");
    if (dictionary != null) {
      return isPresent(index) ? dictionary.getString(values.getAtIndex(JAVA_INT, index)) : "";
    }
    byte[] bytes = values.asSlice(begin(index), count(index)).toArray(JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * {@return the memory of all numbers} Use it to process whole arrays. Numbers have the size of
   * their type and the machine's byte order. Truth values are bits. Texts have their characters.
   * Throws KaonException if one of the numbers is missing: see storedValues().
   */
  public MemorySegment values() {
    if (hasMissing && type != Field.Type.STRING) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          "'" + name + "' has missing values; read storedValues() where isPresent() is true");
    }
    return storedValues();
  }

  /**
   * {@return the memory of all numbers, as values()} Numbers for which isPresent() is false mean
   * nothing.
   */
  public MemorySegment storedValues() {
    if (values == null) {
      throw wrongType("number");
    }
    return values.asReadOnly();
  }

  /** Returns the column of this name below this one, including columns in lists, or null. */
  Column find(String path) {
    if (type == Field.Type.LIST || type == Field.Type.ARRAY) {
      return children.get(0).find(path);
    }
    for (Column child : children) {
      String part = child.field.name();
      if (path.equals(part)) {
        return child;
      }
      if (path.startsWith(part + ".")) {
        Column inner = child.find(path.substring(part.length() + 1));
        if (inner != null) {
          return inner;
        }
      }
    }
    return null;
  }

  /** Returns the names of the children. */
  List<String> names() {
    return children.stream().map(Column::name).toList();
  }

  /** Returns a whole number of less than 32 bits. */
  private int smallNumber(long index, String wanted) {
    return switch (type) {
      case INT8 -> values.get(JAVA_BYTE, index);
      case UINT8 -> Byte.toUnsignedInt(values.get(JAVA_BYTE, index));
      case INT16 -> values.getAtIndex(JAVA_SHORT, index);
      case UINT16 -> Short.toUnsignedInt(values.getAtIndex(JAVA_SHORT, index));
      default -> throw wrongType(wanted);
    };
  }

  private long offset(long index) {
    if (offsets == null) {
      throw wrongType("list");
    }
    return offsets.getAtIndex(JAVA_LONG, index);
  }

  private void requireValue(long index) {
    if (hasMissing && !isPresent(index)) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          "'" + name + "' has no value at index " + index + "; ask isPresent() first");
    }
  }

  private void check(boolean isSo, String wanted) {
    if (!isSo) {
      throw wrongType(wanted);
    }
  }

  private KaonException wrongType(String wanted) {
    return new KaonException(
        KaonException.Kind.TYPE, "'" + name + "' is of type " + type + " and has no " + wanted);
  }

  private static boolean bit(MemorySegment bits, long index) {
    return (bits.get(JAVA_BYTE, index >> 3) >> (index & 7) & 1) != 0;
  }

  private static long bits(long count) {
    return (count + 7) / 8;
  }

  private static double unsignedToDouble(long number) {
    // The lowest bit is kept, so that the number is rounded once.
    return number < 0 ? (number >>> 1 | number & 1) * 2.0 : number;
  }

  private static String join(String above, String name) {
    return above.isEmpty() ? name : above + "." + name;
  }

  private static MemorySegment buffer(ArrowStruct array, long number, long bytes, Arena arena) {
    return array
        .address("buffers", number, array.number("n_buffers"))
        .reinterpret(bytes, arena, null);
  }
}
