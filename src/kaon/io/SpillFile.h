#pragma once

#include <kaon/io/Descriptor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::io {

/// A file without a name, for bytes that do not fit into memory. It takes disk space of its
/// directory until it is emptied, or goes with the program. For one thread at a time.
class SpillFile {
public:
  /// Throws Error(io).
  explicit SpillFile(const std::string& directory);

  /// Returns where the bytes begin. Throws Error(io).
  std::uint64_t append(std::span<const std::byte> bytes);
  /// Throws Error(io).
  void read(std::uint64_t position, std::span<std::byte> bytes) const;
  /// Forgets all bytes. Throws Error(io).
  void clear();

private:
  std::string m_name; // for messages
  Descriptor m_file;
  std::uint64_t m_size = 0;
};

} // namespace kaon::io
