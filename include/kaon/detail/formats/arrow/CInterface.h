#pragma once

#include <cstdint>

// Arrow's C data and stream interfaces, as Arrow defines them: see
// https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html. Arrow also
// defines the names, and the macros that let a program include several headers with these structs.

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/// The type of an array. The owner calls `release` once; it is null afterwards.
struct ArrowSchema {
  const char* format = nullptr;
  const char* name = nullptr;
  const char* metadata = nullptr;
  std::int64_t flags = 0;
  std::int64_t n_children = 0;
  ArrowSchema** children = nullptr;
  ArrowSchema* dictionary = nullptr;
  void (*release)(ArrowSchema*) = nullptr;
  void* private_data = nullptr;
};

/// The values of an array. Their memory is valid until `release` is called.
struct ArrowArray {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::int64_t n_buffers = 0;
  std::int64_t n_children = 0;
  const void** buffers = nullptr;
  ArrowArray** children = nullptr;
  ArrowArray* dictionary = nullptr;
  void (*release)(ArrowArray*) = nullptr;
  void* private_data = nullptr;
};

#endif // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/// A series of arrays of one type. A released array marks the end. For one thread at a time.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out) = nullptr;
  int (*get_next)(ArrowArrayStream*, ArrowArray* out) = nullptr;
  const char* (*get_last_error)(ArrowArrayStream*) = nullptr;
  void (*release)(ArrowArrayStream*) = nullptr;
  void* private_data = nullptr;
};

#endif // ARROW_C_STREAM_INTERFACE

} // extern "C"
