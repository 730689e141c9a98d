package kaon;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Values to write, in order. Arrays are not copied before they are written.
 *
 * <pre>{@code
 * Values muons = Values.list(begins, new Columns().add("pt", pt).add("charge", charge));
 * }</pre>
 */
public abstract sealed class Values
    permits Columns,
        Values.Numbers,
        Values.Texts,
        Values.Lists,
        Values.Repeated {
  Values() {}

  /**
   * {@return numbers, truth values or texts} Throws KaonException for other arrays.
   *
   * @param array boolean[], byte[], short[], int[], long[], float[], double[] or String[], or
   *     Values
   */
  public static Values of(Object array) {
    Objects.requireNonNull(array, "the array of values must not be null");
    return switch (array) {
      case boolean[] flags -> new Numbers("b", flags.length, arena -> bits(flags, arena));
      case byte[] numbers ->
          new Numbers("c", numbers.length, arena -> arena.allocateFrom(JAVA_BYTE, numbers));
      case short[] numbers ->
          new Numbers(
              "s", numbers.length, arena -> arena.allocateFrom(ValueLayout.JAVA_SHORT, numbers));
      case int[] numbers ->
          new Numbers(
              "i", numbers.length, arena -> arena.allocateFrom(ValueLayout.JAVA_INT, numbers));
      case long[] numbers ->
          new Numbers("l", numbers.length, arena -> arena.allocateFrom(JAVA_LONG, numbers));
      case float[] numbers ->
          new Numbers(
              "f", numbers.length, arena -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, numbers));
      case double[] numbers ->
          new Numbers(
              "g", numbers.length, arena -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, numbers));
      case String[] texts -> new Texts(texts);
      case Values values -> values;
      default ->
          throw new KaonException(
              KaonException.Kind.TYPE,
              array.getClass().getSimpleName()
                  + " cannot be written: give an array of numbers, truth values or texts");
    };
  }

  /**
   * {@return lists} Throws KaonException if `begins` and `elements` do not agree.
   *
   * @param begins list i has the elements from begins[i] up to, but not including, begins[i + 1].
   *     The first number is 0, the last is the number of elements
   * @param elements Columns, which make a collection, an array as for of(), or lists
   */
  public static Values list(long[] begins, Object elements) {
    return new Lists(begins, of(elements));
  }

  /**
   * {@return lists}
   *
   * @param begins the start of each list, and the end of the last
   * @param elements as above
   */
  public static Values list(int[] begins, Object elements) {
    return list(Arrays.stream(begins).asLongStream().toArray(), elements);
  }

  /**
   * {@return references to objects of a collection} In objects with a datatype, they are a relation
   * to one object; in a list, to many.
   *
   * @param collection the collection with the objects, in the same entry
   * @param datatype the datatype of these objects in the model
   * @param index for each reference, the index of the object in its entry, or -1 for none
   */
  public static Values references(String collection, String datatype, int[] index) {
    return new Columns(datatype)
        .add("index", index)
        .add("collection", new Repeated(of(new String[] {collection}), index.length));
  }

  /** {@return the number of values} */
  public abstract int size();

  /** Returns Arrow's name of the type. */
  abstract String format();

  /** Returns Arrow's buffers. The first one, for missing values, is not used. */
  abstract List<MemorySegment> buffers(Arena arena);

  /** Returns the values inside these, by name. */
  Map<String, Values> children() {
    return Map.of();
  }

  /**
   * Returns the datatype of the objects, or of the objects to which they refer, or an empty text.
   */
  String datatype() {
    return "";
  }

  /** Returns the values to which these are indices, or null. */
  Values dictionary() {
    return null;
  }

  /** Returns the ArrowSchema. */
  final ArrowStruct schema(String name, Arena arena) {
    ArrowStruct schema =
        new ArrowStruct(ArrowStruct.SCHEMA, arena.allocate(ArrowStruct.SCHEMA));
    schema.set("format", arena.allocateFrom(format()));
    schema.set("name", arena.allocateFrom(name));
    if (!datatype().isEmpty()) {
      schema.set("metadata", Field.metadata("datatype", datatype(), arena));
    }
    if (dictionary() != null) {
      schema.set("dictionary", dictionary().schema("", arena).memory());
    }
    List<MemorySegment> below =
        children().entrySet().stream()
            .map(child -> child.getValue().schema(child.getKey(), arena).memory())
            .toList();
    schema.set("n_children", below.size());
    schema.set("children", addresses(below, arena));
    return schema;
  }

  /** Returns the ArrowArray. */
  final ArrowStruct array(Arena arena) {
    ArrowStruct array = new ArrowStruct(ArrowStruct.ARRAY, arena.allocate(ArrowStruct.ARRAY));
    List<MemorySegment> buffers = buffers(arena);
    if (dictionary() != null) {
      array.set("dictionary", dictionary().array(arena).memory());
    }
    List<MemorySegment> below =
        children().values().stream().map(child -> child.array(arena).memory()).toList();
    array.set("length", size());
    array.set("n_buffers", buffers.size());
    array.set("buffers", addresses(buffers, arena));
    array.set("n_children", below.size());
    array.set("children", addresses(below, arena));
    return array;
  }

  private static MemorySegment addresses(List<MemorySegment> segments, Arena arena) {
    MemorySegment addresses = arena.allocate(ADDRESS, segments.size());
    for (int i = 0; i < segments.size(); ++i) {
      addresses.setAtIndex(ADDRESS, i, segments.get(i));
    }
    return addresses;
  }

  private static MemorySegment bits(boolean[] flags, Arena arena) {
    byte[] bytes = new byte[(flags.length + 7) / 8];
    for (int i = 0; i < flags.length; ++i) {
      bytes[i / 8] |= (byte) ((flags[i] ? 1 : 0) << (i % 8));
    }
    return arena.allocateFrom(JAVA_BYTE, bytes);
  }

  /** Copies an array to memory that C can read. */
  private interface Copy {
    MemorySegment to(Arena arena);
  }

  static final class Numbers extends Values {
    private final String format;
    private final int size;
    private final Copy copy;

    private Numbers(String format, int size, Copy copy) {
      this.format = format;
      this.size = size;
      this.copy = copy;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    String format() {
      return format;
    }

    @Override
    List<MemorySegment> buffers(Arena arena) {
      return List.of(MemorySegment.NULL, copy.to(arena));
    }
  }

  static final class Texts extends Values {
    private final String[] texts;

    private Texts(String[] texts) {
      int missing = Arrays.asList(texts).indexOf(null);
      if (missing >= 0) {
        throw new KaonException(
            KaonException.Kind.USAGE, "text " + missing + " is null: use an empty text");
      }
      this.texts = texts;
    }

    @Override
    public int size() {
      return texts.length;
    }

    @Override
    String format() {
      return "U";
    }

    @Override
    List<MemorySegment> buffers(Arena arena) {
      long[] begins = new long[texts.length + 1];
      var characters = new java.io.ByteArrayOutputStream();
      for (int i = 0; i < texts.length; ++i) {
        characters.writeBytes(texts[i].getBytes(StandardCharsets.UTF_8));
        begins[i + 1] = characters.size();
      }
      return List.of(
          MemorySegment.NULL,
          arena.allocateFrom(JAVA_LONG, begins),
          arena.allocateFrom(JAVA_BYTE, characters.toByteArray()));
    }
  }

  static final class Lists extends Values {
    private final long[] begins;
    private final Values elements;

    private Lists(long[] begins, Values elements) {
      if (begins.length == 0) {
        throw new KaonException(
            KaonException.Kind.USAGE,
            "the begins of lists need one number more than there are lists, not 0");
      }
      long last = begins[begins.length - 1];
      if (begins[0] != 0 || last != elements.size()) {
        throw new KaonException(
            KaonException.Kind.USAGE,
            "lists must begin at 0 and end at the number of elements, "
                + elements.size()
                + ", not begin at "
                + begins[0]
                + " and end at "
                + last);
      }
      this.begins = begins;
      this.elements = elements;
    }

    @Override
    public int size() {
      return begins.length - 1;
    }

    @Override
    String format() {
      return "+L";
    }

    @Override
    String datatype() {
      return elements.datatype();
    }

    @Override
    List<MemorySegment> buffers(Arena arena) {
      return List.of(MemorySegment.NULL, arena.allocateFrom(JAVA_LONG, begins));
    }

    @Override
    Map<String, Values> children() {
      return Map.of("item", elements);
    }
  }

  /** One value, repeated several times. */
  static final class Repeated extends Values {
    private final Values value;
    private final int size;

    private Repeated(Values value, int size) {
      this.value = value;
      this.size = size;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    String format() {
      return "c";
    }

    @Override
    List<MemorySegment> buffers(Arena arena) {
      return List.of(MemorySegment.NULL, arena.allocate(size)); // zeros: all indices are 0
    }

    @Override
    Values dictionary() {
      return value;
    }
  }
}
