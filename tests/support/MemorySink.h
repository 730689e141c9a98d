#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace kaon::test {

/// A file in memory, like one that is written and then read.
class MemorySink final : public io::ByteSink {
public:
  /// Refuses more than `room` bytes, like a full disk.
  explicit MemorySink(std::shared_ptr<Buffer> bytes,
                      std::size_t room = std::numeric_limits<std::size_t>::max())
      : m_bytes(std::move(bytes)), m_room(room) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() > m_room - m_bytes->size())
      fail(ErrorKind::io, m_name, ": no space left");
    m_bytes->append(bytes);
  }
  void finish() override {}

private:
  std::string m_name = "memory.kaon";
  std::shared_ptr<Buffer> m_bytes;
  std::size_t m_room;
};

/// Opens bytes as a .kaon file; the caller keeps them.
[[nodiscard]] inline std::unique_ptr<File> openBytes(std::span<const std::byte> bytes) {
  return kaonfile::openFile(io::memorySource("memory.kaon", bytes));
}

} // namespace kaon::test
