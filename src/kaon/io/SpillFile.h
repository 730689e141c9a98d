#pragma once

#include <kaon/io/FileDescriptor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::io {

/// A file without a name, for bytes that do not fit into memory. It takes disk space in its
/// directory until it is cleared or the program ends. It is opened with the first bytes. For one
/// thread at a time.
class SpillFile {
public:
  explicit SpillFile(std::string directory);

  [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
  /// Returns the position of the bytes. Throws Error(io), or Error(missing) without the directory.
  std::uint64_t append(std::span<const std::byte> bytes);
  /// Throws Error(io).
  void read(std::uint64_t position, std::span<std::byte> bytes) const;
  /// Replaces bytes that were appended. Throws Error(io).
  void rewrite(std::uint64_t position, std::span<const std::byte> bytes);
  /// Removes the bytes from `size` on. Throws Error(io).
  void shrink(std::uint64_t size);
  /// Removes all bytes. Throws Error(io).
  void clear() { shrink(0); }

private:
  std::string m_directory;
  std::string m_name; // for messages
  FileDescriptor m_file;
  std::uint64_t m_size = 0;
};

} // namespace kaon::io
