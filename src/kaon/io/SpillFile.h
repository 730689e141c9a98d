#pragma once

#include <kaon/io/Descriptor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::io {

/// A file without a name, for bytes that do not fit into memory. It takes disk space of its
/// directory until it is emptied, or goes with the program. Nothing is opened before the first
/// bytes come. For one thread at a time.
class SpillFile {
public:
  explicit SpillFile(std::string directory);

  [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
  /// Returns where the bytes begin. Throws Error(io), Error(missing) without the directory.
  std::uint64_t append(std::span<const std::byte> bytes);
  /// Throws Error(io).
  void read(std::uint64_t position, std::span<std::byte> bytes) const;
  /// Forgets all bytes. Throws Error(io).
  void clear();

private:
  std::string m_directory;
  std::string m_name; // for messages
  Descriptor m_file;
  std::uint64_t m_size = 0;
};

} // namespace kaon::io
