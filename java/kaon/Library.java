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

/** The functions of kaon's library for C, kaon/c/kaon.h. */
final class Library {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = load();

  private static final MethodHandle ERROR = function("kaon_error", ADDRESS);
  private static final MethodHandle OPEN = function("kaon_open", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle CLOSE = procedure("kaon_close", ADDRESS);
  private static final MethodHandle CATEGORY_COUNT =
      function("kaon_category_count", JAVA_LONG, ADDRESS);
  private static final MethodHandle CATEGORY =
      function("kaon_category", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle READ =
      function(
          "kaon_read",
          JAVA_INT,
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
  private static final MethodHandle FINISH = function("kaon_finish", JAVA_INT, ADDRESS);
  private static final MethodHandle ABANDON = procedure("kaon_abandon", ADDRESS);

  private Library() {}

  /** Calls a function that can fail. */
  private interface Call {
    int result() throws Throwable;
  }

  static MemorySegment open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocate(ADDRESS);
      check(() -> (int) OPEN.invokeExact(arena.allocateFrom(path), file));
      return file.get(ADDRESS, 0);
    }
  }

  static void close(MemorySegment file) {
    invoke(CLOSE, file);
  }

  static long categoryCount(MemorySegment file) {
    try {
      return (long) CATEGORY_COUNT.invokeExact(file);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** A category's name and number of entries. */
  record CategoryOverview(String name, long entries) {}

  static CategoryOverview category(MemorySegment file, long number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(ADDRESS);
      MemorySegment entries = arena.allocate(JAVA_LONG);
      check(() -> (int) CATEGORY.invokeExact(file, number, name, entries));
      return new CategoryOverview(text(name.get(ADDRESS, 0)), entries.get(JAVA_LONG, 0));
    }
  }

  /** Makes a stream in memory for one. */
  static void read(
      MemorySegment file,
      String category,
      String[] columns,
      long first,
      long last,
      MemorySegment stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment names = arena.allocate(ADDRESS, columns.length);
      for (int i = 0; i < columns.length; ++i) {
        names.setAtIndex(ADDRESS, i, arena.allocateFrom(columns[i]));
      }
      MemorySegment name = arena.allocateFrom(category);
      long count = columns.length;
      check(() -> (int) READ.invokeExact(file, name, names, count, first, last, stream));
    }
  }

  static MemorySegment create(String path, String codec, int level) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment writer = arena.allocate(ADDRESS);
      MemorySegment name = codec == null ? MemorySegment.NULL : arena.allocateFrom(codec);
      check(() -> (int) CREATE.invokeExact(arena.allocateFrom(path), name, level, writer));
      return writer.get(ADDRESS, 0);
    }
  }

  static void write(
      MemorySegment writer, String category, MemorySegment schema, MemorySegment entries) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(category);
      check(() -> (int) WRITE.invokeExact(writer, name, schema, entries));
    }
  }

  static void finish(MemorySegment writer) {
    check(() -> (int) FINISH.invokeExact(writer));
  }

  static void abandon(MemorySegment writer) {
    invoke(ABANDON, writer);
  }

  /** A text that C has. */
  static String text(MemorySegment address) {
    return address.reinterpret(Long.MAX_VALUE).getString(0);
  }

  /** A handle for pointers to functions, which come before what they are given. */
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

  private static SymbolLookup load() {
    try {
      System.loadLibrary("kaon_c");
    } catch (UnsatisfiedLinkError error) {
      throw new KaonException(
          KaonException.Kind.MISSING,
          "kaon's library for C, "
              + System.mapLibraryName("kaon_c")
              + ", cannot be loaded: say where it is by java -Djava.library.path=FOLDER ("
              + error.getMessage()
              + ")");
    }
    return SymbolLookup.loaderLookup();
  }
}
