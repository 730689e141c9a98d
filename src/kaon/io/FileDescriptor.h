#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::io {

/// Calls a function of the system again while signals interrupt it.
template <class Call>
auto uninterrupted(const Call& call) noexcept(noexcept(call())) {
  while (true)
    if (const auto result = call(); result != -1 || errno != EINTR)
      return result;
}

/// A file descriptor, closed with the object.
class FileDescriptor {
public:
  FileDescriptor() = default;
  FileDescriptor(FileDescriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  ~FileDescriptor();

  /// Opens a file like ::open(), to be closed when another program is executed. Not open if the
  /// system refuses; errno then has the reason.
  [[nodiscard]] static FileDescriptor open(const std::string& path, int flags);
  /// Opens a new file without a name in a directory, to read and write: closing it deletes it.
  [[nodiscard]] static FileDescriptor openUnnamed(const std::string& directory);
  void close() noexcept;

  [[nodiscard]] bool isOpen() const noexcept { return m_number >= 0; }
  [[nodiscard]] int number() const noexcept { return m_number; }

private:
  explicit FileDescriptor(int number) noexcept : m_number(number) {}
  int m_number = -1;
};

/// Makes the bytes of a file durable. Throws Error(io) with its name. Does nothing for files that
/// cannot be made durable, such as pipes, terminals and folders of some network file systems.
void syncFile(int descriptor, std::string_view name);
/// Opens a folder for syncFolder(). The result is not open if the folder may be written, but not
/// read. Throws Error(io).
[[nodiscard]] FileDescriptor openFolder(const std::string& folder);
/// Makes the names in a folder durable, if it could be opened. Throws as syncFile().
void syncFolder(const FileDescriptor& opened, const std::string& folder);

/// Cuts a file, or fills it with zeros, to a number of bytes. Returns whether that worked;
/// otherwise errno has the reason.
[[nodiscard]] bool resize(const FileDescriptor& file, std::uint64_t size) noexcept;

/// Throws Error(io) with the message "`name`: `what`: " and the meaning of errno. Throws
/// Error(missing) if errno means that the file does not exist.
[[noreturn]] void failWithErrno(std::string_view name, std::string_view what);

/// Fills `bytes` from a position of a file, in as many calls as necessary. Returns the number of
/// bytes, which is smaller only at the end of the file. Throws as failWithErrno().
[[nodiscard]] std::size_t readAt(const FileDescriptor& file, std::uint64_t position,
                                 std::span<std::byte> bytes, std::string_view name);

/// Writes all the bytes in as many calls as necessary, or throws Error(io). Waits for non-blocking
/// pipes.
void writeAll(int descriptor, std::span<const std::byte> bytes, std::string_view name);

} // namespace kaon::io
