#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::io {

/// A file that the operating system opened, closed with the object.
class Descriptor {
public:
  Descriptor() = default;
  Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  ~Descriptor();

  /// As ::open(), closed when another program is run. Not open if the system refuses; then errno
  /// says why.
  [[nodiscard]] static Descriptor open(const std::string& path, int flags);
  /// A file in a folder, to read and write, that has no name there. Not open, with errno, likewise.
  [[nodiscard]] static Descriptor unnamed(const std::string& folder);
  void close() noexcept;

  [[nodiscard]] bool isOpen() const noexcept { return m_number >= 0; }
  [[nodiscard]] int number() const noexcept { return m_number; }

private:
  explicit Descriptor(int number) noexcept : m_number(number) {}
  int m_number = -1;
};

/// Throws Error(io) with the message "`name`: `what`: ", and what errno stands for; Error(missing)
/// if that is that there is no such file.
[[noreturn]] void failWithErrno(std::string_view name, std::string_view what);

/// Writes all the bytes, however many it takes at a time, or throws Error(io). Waits for a pipe
/// that was set not to block.
void writeAll(int descriptor, std::span<const std::byte> bytes, std::string_view name);

} // namespace kaon::io
