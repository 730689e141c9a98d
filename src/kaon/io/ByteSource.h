#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::io {

/// The bytes [offset, offset + count) of a source.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Where bytes are: the one way in which kaon gets at a file's contents. Safe for concurrent use,
/// as long as each thread has a scratch buffer of its own.
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

  /// Whether views lie in memory without being read: all that fetching them can do is to announce
  /// them.
  [[nodiscard]] virtual bool isInMemory() const noexcept { return false; }

  /// Several ranges in one request: element i of the result is range i. Ranges may come in any
  /// order and overlap. Each lies in the source itself or in `scratch`, there aligned to a cache
  /// line, and the rest is as for view(); nothing is read if one of them is not in the source.
  [[nodiscard]] std::vector<std::span<const std::byte>> views(std::span<const ByteRange> ranges,
                                                              Buffer& scratch) const;

  /// These ranges will be asked for soon: the source may begin to fetch them, without waiting for
  /// them. A hint: what is not in the source is passed over.
  virtual void prefetch(std::span<const ByteRange> ranges) const noexcept;

  /// Whether each request takes long: what several readers are going to read of it is better
  /// fetched in one.
  [[nodiscard]] virtual bool isDistant() const noexcept { return false; }

  /// Begins to fetch these ranges, without waiting for them, and keeps them for all who ask as long
  /// as the result lives, which must not outlive the source. Null where that would save nothing.
  [[nodiscard]] virtual std::shared_ptr<const void>
  hold(std::span<const ByteRange> /*ranges*/) const {
    return nullptr;
  }

protected:
  /// The part of a range that is in the source.
  [[nodiscard]] ByteRange inside(const ByteRange& range) const noexcept;
  /// Gives each range its place in the scratch, behind so many bytes, which it returns.
  std::byte* place(std::span<const ByteRange> ranges, std::span<std::span<const std::byte>> views,
                   Buffer& scratch, std::size_t front = 0) const;

private:
  /// Sets views[i] to ranges[i], as views() says, in one request. The ranges are inside the source.
  virtual void request(std::span<const ByteRange> ranges,
                       std::span<std::span<const std::byte>> views, Buffer& scratch) const = 0;
  void check(const ByteRange& range) const;

  std::string m_name;
};

/// Bytes in memory that the caller keeps alive.
[[nodiscard]] std::unique_ptr<ByteSource> memorySource(std::string name,
                                                       std::span<const std::byte> bytes);

/// A file in the file system, mapped into memory: nothing is copied. It must not be cut while it is
/// open.
[[nodiscard]] std::unique_ptr<ByteSource> fileSource(const std::string& path);

/// A file in the file system, read where and when it is asked for. For file systems on which maps
/// are slow or unsafe, and for files that may be cut while they are open: that is Error(io).
[[nodiscard]] std::unique_ptr<ByteSource> readSource(const std::string& path);

} // namespace kaon::io
