#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>

#include <memory>

namespace kaon::arrow {

/// A series of arrays of one type. For one thread at a time.
class ArraySource {
public:
  virtual ~ArraySource() = default;
  ArraySource() = default;
  ArraySource(const ArraySource&) = delete;
  ArraySource& operator=(const ArraySource&) = delete;
  /// Returns the type of the arrays. The caller releases it.
  [[nodiscard]] virtual ArrowSchema schema() const = 0;
  /// Returns the next array, which the caller releases. At the end, returns a released array.
  /// Throws Error.
  [[nodiscard]] virtual ArrowArray next() = 0;
};

/// Returns a stream of the arrays, which the caller releases. If get_schema() or get_next() fails,
/// get_last_error() returns the message. The functions then return EIO, ENOENT for missing files,
/// EBADMSG for damage, ENOTSUP for formats that this version of kaon does not read, ENOMEM, or else
/// EINVAL.
[[nodiscard]] ArrowArrayStream streamOf(std::unique_ptr<ArraySource> arrays);

} // namespace kaon::arrow
