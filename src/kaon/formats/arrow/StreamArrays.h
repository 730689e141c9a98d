#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/OwnedArrow.h>

#include <vector>

namespace kaon::arrow {

/// The arrays of a stream of entries. Owns the stream and releases it.
class StreamArrays {
public:
  /// Throws Error(usage) if the stream was released before, or has no structs. Throws an error of
  /// the kind `failure` if the stream fails.
  StreamArrays(const ArrowArrayStream& stream, ErrorKind failure);

  [[nodiscard]] const ArrowSchema& type() const noexcept { return *m_type.get(); }
  /// Returns the next array, which is valid until the next call; null at the end. Throws if the
  /// stream fails.
  [[nodiscard]] const ArrowArray* next();
  /// Returns all further arrays. Throws if the stream fails.
  [[nodiscard]] std::vector<OwnedArrow<ArrowArray>> rest();

private:
  void check(int code);

  OwnedArrow<ArrowArrayStream> m_stream;
  OwnedArrow<ArrowSchema> m_type;
  OwnedArrow<ArrowArray> m_array;
  ErrorKind m_failure;
};

/// Throws Error(usage) if a stream's type is not that of entries.
void checkEntries(const ArrowSchema& type);

} // namespace kaon::arrow
