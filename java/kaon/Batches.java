package kaon;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Entries of a category, batch by batch. Each batch is a cluster of the file, or several small
 * ones. Iterate once, in one thread. A batch is valid until the next one.
 */
public final class Batches implements Iterable<Batch>, Iterator<Batch>, AutoCloseable {
  private static final MethodHandle GET = Library.pointer(JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle GET_LAST_ERROR = Library.pointer(ADDRESS, ADDRESS);

  private final String where;
  private final ArrowStruct stream = struct(ArrowStruct.STREAM);
  private final ArrowStruct schema = struct(ArrowStruct.SCHEMA);
  private final Field entry;
  private final boolean hasCut;
  private Batch current = null;
  private Batch next = null;
  private long nextEntry;
  private boolean isAtEnd = false;
  private boolean isClosed = false;

  Batches(
      EventFile file, String category, String cut, String[] columns, long first, long last) {
    where = file.name() + ":" + category;
    hasCut = cut != null;
    nextEntry = first;
    try {
      file.read(category, cut, columns, first, last, stream.memory());
      get("get_schema", schema);
      entry = Field.of(schema);
    } catch (RuntimeException error) {
      close();
      throw error;
    }
  }

  /** {@return the fields of an entry: collections, parameters and values} */
  public List<Field> fields() {
    return entry.children();
  }

  @Override
  public Iterator<Batch> iterator() {
    return this;
  }

  /**
   * Whether there is another batch, which this call decodes. Throws KaonException for damaged
   * files.
   */
  @Override
  public synchronized boolean hasNext() {
    if (next == null && !isAtEnd) {
      ArrowStruct array = struct(ArrowStruct.ARRAY);
      get("get_next", array);
      isAtEnd = array.isReleased();
      if (!isAtEnd) {
        long first = hasCut ? Batch.UNKNOWN : nextEntry;
        next = new Batch(where, schema, entry, array, first);
        nextEntry += next.entries();
      }
    }
    return next != null;
  }

  /** Returns the next batch and frees the previous one. */
  @Override
  public synchronized Batch next() {
    if (!hasNext()) {
      throw new NoSuchElementException(where + ": there is no further batch");
    }
    if (current != null) {
      current.close();
    }
    current = next;
    next = null;
    return current;
  }

  /** Frees the memory of all batches. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (current != null) {
      current.close();
    }
    if (next != null) {
      next.close();
    }
    schema.release();
    stream.release();
  }

  /** Calls a function of the stream that fills a struct. */
  private void get(String function, ArrowStruct out) {
    if (isClosed) {
      throw new KaonException(KaonException.Kind.USAGE, where + ": the batches were closed");
    }
    try {
      int code = (int) GET.invokeExact(stream.address(function), stream.memory(), out.memory());
      if (code != 0) {
        throw new KaonException(kindOf(code), lastError());
      }
    } catch (KaonException error) {
      throw error;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns a struct whose memory is freed by the garbage collector. */
  private static ArrowStruct struct(StructLayout layout) {
    return new ArrowStruct(layout, Arena.ofAuto().allocate(layout));
  }

  private String lastError() throws Throwable {
    MemorySegment function = stream.address("get_last_error");
    MemorySegment words = (MemorySegment) GET_LAST_ERROR.invokeExact(function, stream.memory());
    return words.equals(MemorySegment.NULL) ? where + " cannot be read" : Library.text(words);
  }

  /** Returns the kind of an error. Streams return Linux's error numbers. */
  private static KaonException.Kind kindOf(int code) {
    return switch (code) {
      case 2 -> KaonException.Kind.MISSING; // ENOENT
      case 5 -> KaonException.Kind.IO; // EIO
      case 12 -> KaonException.Kind.MEMORY; // ENOMEM
      case 74 -> KaonException.Kind.CORRUPT; // EBADMSG
      case 95 -> KaonException.Kind.VERSION; // ENOTSUP
      default -> KaonException.Kind.USAGE;
    };
  }
}
