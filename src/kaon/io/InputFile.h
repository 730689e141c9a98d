#pragma once

#include <kaon/io/FileDescriptor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <sys/types.h>
#include <sys/uio.h>

namespace kaon::io {

/// A regular file, open for reading, that must not change. Only appending to it is no change. Safe
/// for concurrent use.
class InputFile {
public:
  /// Throws Error(io), Error(missing).
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return m_path; }
  /// Returns the size when the file was opened.
  [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }

  /// The file as the system knows it, during the lifetime of this object.
  class Access {
  public:
    [[nodiscard]] const FileDescriptor& operator*() const noexcept {
      return m_reopened.isOpen() ? m_reopened : *m_kept;
    }

  private:
    friend InputFile;
    FileDescriptor m_reopened;
    const FileDescriptor* m_kept = nullptr;
  };
  /// Opens the file again if it is not kept open. Throws Error(io) if it is not the same file.
  [[nodiscard]] Access access() const;
  /// Whether the file is kept open, so that access is fast.
  [[nodiscard]] bool isKeptOpen() const noexcept { return m_descriptor.isOpen(); }

  /// Fills the pieces, one after another, with the bytes before `end`. Throws Error(io) if there
  /// are fewer bytes. Call checkUnchanged() before you use the bytes.
  void read(std::uint64_t end, std::span<::iovec> pieces) const;

  /// Throws Error(io) if the file was cut or overwritten since it was opened. The time of its last
  /// change tells that. If the file is only longer, its first and last bytes are compared.
  void checkUnchanged() const;
  /// Whether the file is on a network file system.
  [[nodiscard]] bool isOnNetwork() const;

private:
  struct Version {
    std::uint64_t size;
    std::int64_t changed; // time in nanoseconds
    friend bool operator==(const Version&, const Version&) = default;
  };
  [[nodiscard]] Version version(const FileDescriptor& file) const;
  [[nodiscard]] std::uint64_t hashOfEdges(const FileDescriptor& file) const;
  void checkAppended(const FileDescriptor& file) const;

  std::string m_path;
  FileDescriptor m_descriptor; // not open if the process has many files open
  ::dev_t m_device = 0;
  ::ino_t m_number = 0;
  std::uint64_t m_size = 0; // when it was opened
  std::uint64_t m_edges = 0;
  mutable std::mutex m_mutex; // of comparing edges
  mutable std::atomic<std::uint64_t> m_knownSize;
  mutable std::atomic<std::int64_t> m_knownChange;
};

} // namespace kaon::io
