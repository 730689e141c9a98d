#pragma once

#include <kaon/io/Descriptor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::io {

/// Bytes that do not fit into memory, in a file without a name: it is gone when the object is, or
/// the process dies. It lies in the folder for temporary files, $TMPDIR or /tmp. Nothing is opened
/// before the first byte is written. For one thread at a time.
class TemporaryFile {
public:
  [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
  /// Appends all the bytes. Throws Error(io), which says where and what to do.
  void write(std::span<const std::byte> bytes);
  /// Fills `bytes` from `position` on, where so many were written. Throws Error(io).
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

private:
  Descriptor m_descriptor;
  std::string m_name;
  std::uint64_t m_size = 0;
};

} // namespace kaon::io
