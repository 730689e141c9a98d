#pragma once

#include <kaon/formats/hdf5/Library.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace kaon::hdf5 {

/// The bytes of a file for libhdf5, which accesses kaon's sources and sinks through a "driver".
/// Exceptions wait in `failure` until libhdf5's call has returned.
class FileBytes : public std::enable_shared_from_this<FileBytes> {
public:
  FileBytes() = default;
  virtual ~FileBytes() = default;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  /// Reads values, or metadata if not `isData`.
  virtual void read(std::uint64_t position, std::span<std::byte> out, bool isData) = 0;
  virtual void write(std::uint64_t position, std::span<const std::byte> bytes) = 0;
  /// Sets the final size of a written file, which is at least the number of bytes written.
  virtual void extend(std::uint64_t size) = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// Throws the waiting exception, if any, and forgets it. Call it under the lock.
  void rethrowFailure() {
    if (failure)
      std::rethrow_exception(std::exchange(failure, nullptr));
  }

  std::exception_ptr failure;
};

/// A file that is open for reading. It may outlive the object that opened it, until libhdf5 closes
/// it.
class SourceBytes final : public FileBytes {
public:
  explicit SourceBytes(std::unique_ptr<io::ByteSource> source) : m_source(std::move(source)) {}
  [[nodiscard]] const io::ByteSource& source() const noexcept { return *m_source; }
  void read(std::uint64_t position, std::span<std::byte> out, bool isData) override;
  void write(std::uint64_t position, std::span<const std::byte> bytes) override;
  void extend(std::uint64_t size) override;
  [[nodiscard]] std::uint64_t size() const override { return m_source->size(); }
  /// Announces that the metadata of objects at these places will be read. For distant files,
  /// fetches them in one request, up to a limit.
  void expect(std::span<const std::uint64_t> places);

private:
  [[nodiscard]] std::size_t lengthBytes();
  [[nodiscard]] io::ByteRange blockAt(std::uint64_t position) const;
  void readBlocks(std::uint64_t position, std::span<std::byte> out);

  std::unique_ptr<io::ByteSource> m_source;
  Buffer m_scratch;
  std::map<std::uint64_t, Buffer> m_blocks; // of a distant file, by position
};

/// A new file. Only bytes written after keep() can be read again. libhdf5 must therefore keep its
/// metadata in memory until the file is closed, which accessToNew() requests.
class SinkBytes final : public FileBytes {
public:
  /// The sink must outlive this object, unless drop() is called.
  explicit SinkBytes(io::ByteSink& sink) : m_sink(sink) {}
  void read(std::uint64_t position, std::span<std::byte> out, bool isData) override;
  void write(std::uint64_t position, std::span<const std::byte> bytes) override;
  void extend(std::uint64_t size) override;
  [[nodiscard]] std::uint64_t size() const override { return std::max(m_size, m_end); }
  /// From now on, written bytes can be read again. libhdf5 does this with attributes of more than
  /// 64 KiB.
  void keep() noexcept { m_isKeeping = true; }
  /// Extends the file to its final size. Call it after libhdf5 has closed the file.
  void finish() { fillTo(m_end); }
  /// Discards everything that is written from now on, because the file is given up.
  void drop() noexcept { m_isDropped = true; }

private:
  void fillTo(std::uint64_t size);

  io::ByteSink& m_sink;
  std::uint64_t m_size = 0; // number of bytes written
  std::uint64_t m_end = 0;  // size of the file, which may shrink until it is closed
  bool m_isDropped = false;
  bool m_isKeeping = false;
  std::map<std::uint64_t, Buffer> m_kept; // by position
};

/// Returns the properties by which libhdf5 opens a file with these bytes. They hold a shared
/// pointer to it. Call it under the lock.
[[nodiscard]] Hdf5Handle accessTo(FileBytes& bytes);
/// Returns the properties for a new file. It uses the format of HDF5 1.10, whose metadata have
/// checksums.
[[nodiscard]] Hdf5Handle accessToNew(FileBytes& bytes);

} // namespace kaon::hdf5
