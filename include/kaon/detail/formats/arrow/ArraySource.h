#pragma once

#include <kaon/formats/arrow/CInterface.h>

#include <memory>

namespace kaon::arrow {

/// Arrays of one type, one after another. One thread at a time.
class ArraySource {
public:
  virtual ~ArraySource() = default;
  ArraySource() = default;
  ArraySource(const ArraySource&) = delete;
  ArraySource& operator=(const ArraySource&) = delete;
  /// Their type, which the caller releases.
  [[nodiscard]] virtual ArrowSchema schema() const = 0;
  /// The next one, which the caller releases; a released one at the end. Throws Error.
  [[nodiscard]] virtual ArrowArray next() = 0;
};

/// Them as a stream, which the caller releases. What goes wrong, get_last_error() says, and the
/// number that get_next() returns: EIO, ENOENT for what is missing, EBADMSG for damage, ENOTSUP for
/// what this kaon does not read, ENOMEM, or else EINVAL.
[[nodiscard]] ArrowArrayStream streamOf(std::unique_ptr<ArraySource> arrays);

} // namespace kaon::arrow
