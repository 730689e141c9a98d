package kaon;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The structs of Arrow's C interfaces in memory. See
 * https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
 */
final class ArrowStruct {
  /** ArrowSchema. */
  static final StructLayout SCHEMA =
      MemoryLayout.structLayout(
          ADDRESS.withName("format"),
          ADDRESS.withName("name"),
          ADDRESS.withName("metadata"),
          JAVA_LONG.withName("flags"),
          JAVA_LONG.withName("n_children"),
          ADDRESS.withName("children"),
          ADDRESS.withName("dictionary"),
          ADDRESS.withName("release"),
          ADDRESS.withName("private_data"));

  /** ArrowArray. */
  static final StructLayout ARRAY =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("length"),
          JAVA_LONG.withName("null_count"),
          JAVA_LONG.withName("offset"),
          JAVA_LONG.withName("n_buffers"),
          JAVA_LONG.withName("n_children"),
          ADDRESS.withName("buffers"),
          ADDRESS.withName("children"),
          ADDRESS.withName("dictionary"),
          ADDRESS.withName("release"),
          ADDRESS.withName("private_data"));

  /** ArrowArrayStream. */
  static final StructLayout STREAM =
      MemoryLayout.structLayout(
          ADDRESS.withName("get_schema"),
          ADDRESS.withName("get_next"),
          ADDRESS.withName("get_last_error"),
          ADDRESS.withName("release"),
          ADDRESS.withName("private_data"));

  private static final MethodHandle RELEASE = Library.pointer(null, ADDRESS);

  private final StructLayout layout;
  private final MemorySegment memory;

  ArrowStruct(StructLayout layout, MemorySegment memory) {
    this.layout = layout;
    this.memory = memory.reinterpret(layout.byteSize());
  }

  MemorySegment memory() {
    return memory;
  }

  long number(String field) {
    return memory.get(JAVA_LONG, offset(field));
  }

  MemorySegment address(String field) {
    return memory.get(ADDRESS, offset(field));
  }

  /** Returns an address from the array of `size` addresses to which a field points. */
  MemorySegment address(String field, long index, long size) {
    return address(field).reinterpret(size * ADDRESS.byteSize()).getAtIndex(ADDRESS, index);
  }

  /** Returns a child, which is a struct of the same type. */
  ArrowStruct child(long index) {
    return new ArrowStruct(layout, address("children", index, number("n_children")));
  }

  ArrowStruct dictionary() {
    return new ArrowStruct(layout, address("dictionary"));
  }

  void set(String field, long number) {
    memory.set(JAVA_LONG, offset(field), number);
  }

  void set(String field, MemorySegment address) {
    memory.set(ADDRESS, offset(field), address);
  }

  boolean isReleased() {
    return address("release").equals(MemorySegment.NULL);
  }

  /** Releases the struct's contents, unless they were released before. */
  void release() {
    if (isReleased()) {
      return;
    }
    try {
      RELEASE.invokeExact(address("release"), memory);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private long offset(String field) {
    return layout.byteOffset(MemoryLayout.PathElement.groupElement(field));
  }
}
