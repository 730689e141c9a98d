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
 * What a column has: its name and type, and what the file says about it.
 *
 * @param name its name in what it lies in, such as "pt"
 * @param type what its values are
 * @param size how many elements an ARRAY has, else 1
 * @param unit its unit, or an empty text
 * @param description what it means, or an empty text
 * @param datatype the datatype of its objects in the file's model, or an empty text
 * @param canBeAbsent whether a value may be missing
 * @param children the members of a RECORD, the elements of a LIST or ARRAY
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

  /** What values are. */
  public enum Type {
    /** True or false. */
    BOOL(0),
    /** byte. */
    INT8(1),
    /** A byte without a sign. */
    UINT8(1),
    /** short. */
    INT16(2),
    /** A short without a sign. */
    UINT16(2),
    /** int. */
    INT32(4),
    /** An int without a sign. */
    UINT32(4),
    /** long. */
    INT64(8),
    /** A long without a sign. */
    UINT64(8),
    /** float. */
    FLOAT32(4),
    /** double. */
    FLOAT64(8),
    /** Text. */
    STRING(0),
    /** Any number of elements: a collection has one for each object. */
    LIST(0),
    /** The same number of elements everywhere. */
    ARRAY(0),
    /** Members. */
    RECORD(0);

    /** Bytes of a number in memory; 0 for what is none. */
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
          KaonException.Kind.TYPE, "there are no columns of Arrow's type '" + format + "' in Java");
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

  /** One key and its value, as metadata() reads them. */
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

  /** Keys and values, each behind the number of its bytes, behind the number of pairs. */
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

  /** Numbers and texts, one behind the other. */
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
