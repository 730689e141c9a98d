package kaon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The description of a column: its name and type, and its documentation in the file.
 *
 * @param name the name without those of the columns above, such as "pt"
 * @param type the type of its values
 * @param size the number of elements of an ARRAY, otherwise 1
 * @param unit the unit, or an empty text
 * @param description the description, or an empty text
 * @param datatype the datatype of its objects in the file's model, or an empty text
 * @param canBeAbsent whether a value may be missing
 * @param children the members of a RECORD, or the elements of a LIST or ARRAY
 */
public record Field(
    String name,
    Type type,
    int size,
    String unit,
    String description,
    String datatype,
    boolean canBeAbsent,
    List<Field> children) {

  /** The types of values. */
  public enum Type {
    /** True or false. */
    BOOL(0),
    /** byte. */
    INT8(1),
    /** An unsigned byte. */
    UINT8(1),
    /** short. */
    INT16(2),
    /** An unsigned short. */
    UINT16(2),
    /** int. */
    INT32(4),
    /** An unsigned int. */
    UINT32(4),
    /** long. */
    INT64(8),
    /** An unsigned long. */
    UINT64(8),
    /** float. */
    FLOAT32(4),
    /** double. */
    FLOAT64(8),
    /** Text. */
    STRING(0),
    /** Any number of elements. A collection has one for each object. */
    LIST(0),
    /** A fixed number of elements. */
    ARRAY(0),
    /** Members. */
    RECORD(0);

    /** The size of a number in memory; 0 for other types. */
    final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }
  }

  private static final Map<String, Type> TYPES =
      Map.ofEntries(
          Map.entry("b", Type.BOOL),
          Map.entry("c", Type.INT8),
          Map.entry("C", Type.UINT8),
          Map.entry("s", Type.INT16),
          Map.entry("S", Type.UINT16),
          Map.entry("i", Type.INT32),
          Map.entry("I", Type.UINT32),
          Map.entry("l", Type.INT64),
          Map.entry("L", Type.UINT64),
          Map.entry("f", Type.FLOAT32),
          Map.entry("g", Type.FLOAT64),
          Map.entry("U", Type.STRING),
          Map.entry("+L", Type.LIST),
          Map.entry("+s", Type.RECORD));

  private static final String ARRAY_FORMAT = "+w:";
  private static final long NULLABLE = 2;

  static Field of(ArrowStruct schema) {
    String format = Library.text(schema.address("format"));
    boolean isArray = format.startsWith(ARRAY_FORMAT);
    boolean hasDictionary = !schema.address("dictionary").equals(MemorySegment.NULL);
    Type type = isArray ? Type.ARRAY : hasDictionary ? Type.STRING : TYPES.get(format);
    if (type == null) {
      throw new KaonException(
          KaonException.Kind.TYPE, "columns in Java cannot have Arrow's type '" + format + "'");
    }
    List<Field> children = new ArrayList<>();
    for (long i = 0; i < schema.number("n_children"); ++i) {
      children.add(of(schema.child(i)));
    }
    Map<String, String> metadata = metadata(schema.address("metadata"));
    return new Field(
        Library.text(schema.address("name")),
        type,
        isArray ? Integer.parseInt(format.substring(ARRAY_FORMAT.length())) : 1,
        metadata.getOrDefault("unit", ""),
        metadata.getOrDefault("description", ""),
        metadata.getOrDefault("datatype", ""),
        (schema.number("flags") & NULLABLE) != 0,
        List.copyOf(children));
  }

  /** Encodes one key and its value for metadata(). */
  static MemorySegment metadata(String key, String value, Arena arena) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    byte[] valueBytes = value.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(3 * Integer.BYTES + keyBytes.length + valueBytes.length)
            .order(ByteOrder.nativeOrder())
            .putInt(1)
            .putInt(keyBytes.length)
            .put(keyBytes)
            .putInt(valueBytes.length)
            .put(valueBytes);
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes.array());
  }

  /**
   * Decodes keys and values. The number of pairs comes first. Each text follows its size in bytes.
   */
  private static Map<String, String> metadata(MemorySegment address) {
    Map<String, String> pairs = new HashMap<>();
    if (address.equals(MemorySegment.NULL)) {
      return pairs;
    }
    Texts texts = new Texts(address.reinterpret(Long.MAX_VALUE));
    for (int left = texts.number(); left > 0; --left) {
      String key = texts.text();
      pairs.put(key, texts.text());
    }
    return pairs;
  }

  /** Reads numbers and texts one after another. */
  private static final class Texts {
    private final MemorySegment memory;
    private long place = 0;

    Texts(MemorySegment memory) {
      this.memory = memory;
    }

    int number() {
      int number = memory.get(ValueLayout.JAVA_INT_UNALIGNED, place);
      place += Integer.BYTES;
      return number;
    }

    String text() {
      int size = number();
      byte[] bytes = memory.asSlice(place, size).toArray(ValueLayout.JAVA_BYTE);
      place += size;
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
