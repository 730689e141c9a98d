package kaon;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The functions of kaon's C library, kaon/c/kaon_c.h. */
final class Library {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = load();

  private static final MethodHandle ERROR = function("kaon_error", ADDRESS);
  private static final MethodHandle OPEN =
      function("kaon_open_all", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle CLOSE = procedure("kaon_close", ADDRESS);
  private static final MethodHandle CATEGORY_NAME =
      function("kaon_category_name", ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle ENTRIES =
      function("kaon_entries", JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle METADATA_COUNT =
      function("kaon_metadata_count", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle METADATA =
      function("kaon_metadata", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle READ =
      function(
          "kaon_read",
          JAVA_INT,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          ADDRESS);
  private static final MethodHandle CREATE =
      function("kaon_create", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
  private static final MethodHandle WRITE =
      function("kaon_write", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle COPY_DOCUMENTS =
      function("kaon_copy_documents", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SET_METADATA =
      function("kaon_set_metadata", JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle FINISH = function("kaon_finish", JAVA_INT, ADDRESS);
  private static final MethodHandle ABANDON = procedure("kaon_abandon", ADDRESS);

  private Library() {}

  /** A call of a function that can fail. */
  private interface Call {
    int result() throws Throwable;
  }

  static MemorySegment open(String[] paths) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocate(ADDRESS);
      MemorySegment texts = texts(paths, "path", arena);
      long count = paths.length;
      check(() -> (int) OPEN.invokeExact(texts, count, file));
      return file.get(ADDRESS, 0);
    }
  }

  static void close(MemorySegment file) {
    invoke(CLOSE, file);
  }

  static List<String> categories(MemorySegment file) {
    List<String> names = new ArrayList<>();
    try {
      while (true) {
        long number = names.size();
        MemorySegment name = (MemorySegment) CATEGORY_NAME.invokeExact(file, number);
        if (name.equals(MemorySegment.NULL)) {
          return names;
        }
        names.add(text(name));
      }
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  static long entries(MemorySegment file, String category) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entries = arena.allocate(JAVA_LONG);
      MemorySegment name = text(category, "category", arena);
      check(() -> (int) ENTRIES.invokeExact(file, name, entries));
      return entries.get(JAVA_LONG, 0);
    }
  }

  static Map<String, String> metadata(MemorySegment file) {
    Map<String, String> texts = new LinkedHashMap<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      check(() -> (int) METADATA_COUNT.invokeExact(file, count));
      MemorySegment key = arena.allocate(ADDRESS);
      MemorySegment value = arena.allocate(ADDRESS);
      for (long i = 0; i < count.get(JAVA_LONG, 0); ++i) {
        long number = i;
        check(() -> (int) METADATA.invokeExact(file, number, key, value));
        texts.put(text(key.get(ADDRESS, 0)), text(value.get(ADDRESS, 0)));
      }
    }
    return texts;
  }

  /** Exports a stream of entries to memory. A null cut selects all entries. */
  static void read(
      MemorySegment file,
      String category,
      String cut,
      String[] columns,
      long first,
      long last,
      MemorySegment stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment names = texts(columns, "column", arena);
      long count = columns.length;
      MemorySegment name = text(category, "category", arena);
      MemorySegment passes = cut == null ? MemorySegment.NULL : text(cut, "cut", arena);
      check(() -> (int) READ.invokeExact(file, name, passes, names, count, first, last, stream));
    }
  }

  static MemorySegment create(String path, String codec, int level) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment writer = arena.allocate(ADDRESS);
      MemorySegment name = text(path, "path", arena);
      MemorySegment by = codec == null ? MemorySegment.NULL : text(codec, "codec", arena);
      check(() -> (int) CREATE.invokeExact(name, by, level, writer));
      return writer.get(ADDRESS, 0);
    }
  }

  static void write(
      MemorySegment writer, String category, MemorySegment schema, MemorySegment entries) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = text(category, "category", arena);
      check(() -> (int) WRITE.invokeExact(writer, name, schema, entries));
    }
  }

  static void copyDocuments(MemorySegment writer, MemorySegment file) {
    check(() -> (int) COPY_DOCUMENTS.invokeExact(writer, file));
  }

  static void setMetadata(MemorySegment writer, String key, String value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = text(key, "key", arena);
      MemorySegment words = text(value, "value", arena);
      check(() -> (int) SET_METADATA.invokeExact(writer, name, words));
    }
  }

  static void finish(MemorySegment writer) {
    check(() -> (int) FINISH.invokeExact(writer));
  }

  static void abandon(MemorySegment writer) {
    invoke(ABANDON, writer);
  }

  /** Returns a text for C, where it ends at the first character 0. */
  static MemorySegment text(String text, String what, Arena arena) {
    Objects.requireNonNull(text, () -> "the " + what + " must not be null");
    if (text.indexOf('\0') >= 0) {
      throw new KaonException(
          KaonException.Kind.USAGE,
          "the " + what + " must not contain the character 0: '" + text + "'");
    }
    return arena.allocateFrom(text);
  }

  private static MemorySegment texts(String[] texts, String what, Arena arena) {
    MemorySegment addresses = arena.allocate(ADDRESS, texts.length);
    for (int i = 0; i < texts.length; ++i) {
      addresses.setAtIndex(ADDRESS, i, text(texts[i], what, arena));
    }
    return addresses;
  }

  /** Returns a text from C. */
  static String text(MemorySegment address) {
    return address.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** Returns a handle for function pointers. The pointer is the first argument. */
  static MethodHandle pointer(MemoryLayout result, MemoryLayout... given) {
    return LINKER.downcallHandle(
        result == null ? FunctionDescriptor.ofVoid(given) : FunctionDescriptor.of(result, given));
  }

  private static void check(Call call) {
    int result;
    String words;
    try {
      result = call.result();
      if (result == 0) {
        return;
      }
      words = text((MemorySegment) ERROR.invokeExact());
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    throw new KaonException(KaonException.Kind.values()[result - 1], words);
  }

  private static void invoke(MethodHandle procedure, MemorySegment given) {
    try {
      procedure.invokeExact(given);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... given) {
    return LINKER.downcallHandle(address(name), FunctionDescriptor.of(result, given));
  }

  private static MethodHandle procedure(String name, MemoryLayout... given) {
    return LINKER.downcallHandle(address(name), FunctionDescriptor.ofVoid(given));
  }

  private static MemorySegment address(String function) {
    return SYMBOLS.find(function).orElseThrow();
  }

  /** Returns the library that the system finds, or the library in the jar. */
  private static SymbolLookup load() {
    try {
      System.loadLibrary("kaon_c");
    } catch (UnsatisfiedLinkError error) {
      if (!BundledLibrary.load()) {
        throw new KaonException(
            KaonException.Kind.MISSING,
            "kaon's library for C, "
                + System.mapLibraryName("kaon_c")
                + ", cannot be loaded: add its folder to LD_LIBRARY_PATH, or use a jar that"
                + " contains it ("
                + error.getMessage()
                + ")");
      }
    }
    return SymbolLookup.loaderLookup();
  }
}
