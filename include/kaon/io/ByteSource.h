#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// Whether reading maps a file of the file system into memory, which is faster than copying its
/// bytes. Either way, reading a file that was cut or overwritten since it was opened is an error.
enum class MapUse : std::uint8_t {
  automatic, ///< Maps files unless they are on a network file system, where maps are slow.
  always,    ///< Maps files on network file systems, too.
  never      ///< Copies all bytes.
};

/// Returns the value of this name: "auto", "always" or "never". Throws Error(name) with a
/// suggestion.
[[nodiscard]] MapUse mapUseNamed(std::string_view name);

} // namespace kaon

namespace kaon::io {

/// The bytes [offset, offset + count) of a source.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// A source of bytes: the only way in which kaon reads a file. Safe for concurrent use if each
/// thread has its own scratch buffer.
class ByteSource {
public:
  explicit ByteSource(std::string name) : m_name(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Returns the source's name for messages: a path or URL.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Returns the bytes [offset, offset + count). They are in memory of the source, valid as long as
  /// it lives, or in `scratch`, valid until its next use. Throws Error(corrupt) if the source ends
  /// earlier, Error(io) if it cannot be read or has changed.
  [[nodiscard]] std::span<const std::byte> view(std::uint64_t offset, std::uint64_t count,
                                                Buffer& scratch) const;

  /// Whether views are in memory without being read, and never change.
  [[nodiscard]] virtual bool isInMemory() const noexcept { return false; }

  /// Returns several ranges in one request: element i of the result is range i. Ranges may come in
  /// any order and overlap. Each is in memory of the source, or in `scratch`, there aligned to a
  /// cache line; otherwise as view(). Reads nothing if one of them is outside the source.
  [[nodiscard]] std::vector<std::span<const std::byte>> views(std::span<const ByteRange> ranges,
                                                              Buffer& scratch) const;

  /// Returns the address of all bytes if they are in memory or in a map of the file; else null.
  [[nodiscard]] virtual const std::byte* inPlace() const noexcept { return nullptr; }
  /// Like view(), but does not copy bytes of a map. They change if the file changes: decode or copy
  /// them, then call checkUnchanged(), and only then use the result.
  [[nodiscard]] std::span<const std::byte> viewInPlace(std::uint64_t offset, std::uint64_t count,
                                                       Buffer& scratch) const;
  /// Throws Error(io) if the bytes in place have changed since the source was opened.
  virtual void checkUnchanged() const {}
  /// Calls `use` with bytes in place, which it copies or decodes, and then checkUnchanged(). Errors
  /// of `use` are thrown only if the bytes have not changed.
  template <class Use>
  void useInPlace(const ByteRange& range, Buffer& scratch, const Use& use) const {
    const auto bytes = viewInPlace(range.offset, range.count, scratch);
    try {
      use(bytes);
    } catch (const Error&) {
      checkUnchanged();
      throw;
    }
    checkUnchanged();
  }
  /// Whether the bytes in place may change.
  [[nodiscard]] bool isMapped() const noexcept { return inPlace() && !isInMemory(); }

  /// Announces that these ranges will be read soon: the source may begin to fetch them, and does
  /// not wait. This is a hint; ranges outside the source are ignored.
  virtual void prefetch(std::span<const ByteRange> ranges) const noexcept;

  /// Whether each request takes long, so that ranges for several readers should be fetched in one
  /// request.
  [[nodiscard]] virtual bool isDistant() const noexcept { return false; }

  /// Begins to fetch these ranges without waiting, and keeps them for all readers as long as the
  /// result lives. The source must outlive the result. Returns null if that would save nothing.
  [[nodiscard]] virtual std::shared_ptr<const void>
  hold(std::span<const ByteRange> /*ranges*/) const {
    return nullptr;
  }

protected:
  /// Returns the part of a range that is in the source.
  [[nodiscard]] ByteRange inside(const ByteRange& range) const noexcept;
  /// Reserves space in the scratch for each range, after `front` bytes, whose address it returns.
  std::byte* place(std::span<const ByteRange> ranges, std::span<std::span<const std::byte>> views,
                   Buffer& scratch, std::size_t front = 0) const;

private:
  /// Sets views[i] to ranges[i], as in views(), in one request. The ranges are inside the source.
  virtual void request(std::span<const ByteRange> ranges,
                       std::span<std::span<const std::byte>> views, Buffer& scratch) const = 0;
  void check(const ByteRange& range) const;

  std::string m_name;
};

/// Bytes in memory that the caller keeps alive.
[[nodiscard]] std::unique_ptr<ByteSource> memorySource(std::string name,
                                                       std::span<const std::byte> bytes);

/// A file in the file system. Reading throws Error(io) if it was cut or overwritten since it was
/// opened.
[[nodiscard]] std::unique_ptr<ByteSource> fileSource(const std::string& path,
                                                     MapUse map = MapUse::automatic);

} // namespace kaon::io
