#pragma once

#include <kaon/io/FileDescriptor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::io {

struct GuardedRange;

/// A file that is mapped into memory. If the file was cut, or its disk fails, the system ends
/// programs that use the missing bytes. As long as maps exist, kaon handles this signal: missing
/// bytes become zeros, and the map is marked as damaged. The signal's earlier handler gets all
/// other faults.
class MappedBytes {
public:
  /// Maps the first `size` bytes of a file, at least one. Throws Error(io) with its name.
  MappedBytes(const std::string& name, const FileDescriptor& file, std::size_t size);
  ~MappedBytes();
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;

  [[nodiscard]] const std::byte* data() const noexcept { return m_data; }
  /// Whether bytes that were used were missing, and became zeros.
  [[nodiscard]] bool isDamaged() const noexcept;

  /// Tells the system that these bytes of a map are not needed now. The process then does not hold
  /// their memory; using them again loads them again.
  static void unload(std::span<const std::byte> bytes) noexcept;

private:
  const std::byte* m_data;
  std::size_t m_size;
  GuardedRange* m_range;
};

} // namespace kaon::io
