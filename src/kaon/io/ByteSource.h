#pragma once

#include <kaon/base/Buffer.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace kaon::io {

/// Where bytes are: the one way in which kaon gets at a file's contents. Safe for concurrent use.
class ByteSource {
public:
  explicit ByteSource(std::string name) : m_name(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// What to call the source in messages: a path or URL.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// The bytes [offset, offset + count). They lie in the source itself, for as long as it lives, or
  /// else in `scratch`, until that is used again. Throws Error(corrupt) where the source ends
  /// earlier, Error(io) where it cannot be read.
  [[nodiscard]] std::span<const std::byte> view(std::uint64_t offset, std::uint64_t count,
                                                Buffer& scratch) const;

private:
  /// As view(); the range is inside the source.
  [[nodiscard]] virtual std::span<const std::byte>
  viewInside(std::uint64_t offset, std::size_t count, Buffer& scratch) const = 0;
  std::string m_name;
};

/// Bytes in memory that the caller keeps alive.
[[nodiscard]] std::unique_ptr<ByteSource> memorySource(std::string name,
                                                       std::span<const std::byte> bytes);

/// A file in the file system, mapped into memory. It must not be cut while it is open.
[[nodiscard]] std::unique_ptr<ByteSource> fileSource(const std::string& path);

} // namespace kaon::io
