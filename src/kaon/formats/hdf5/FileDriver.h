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

/// The bytes of a file as libhdf5 reads and writes them: kaon's sources and sinks are a "driver" of
/// its. What they throw waits in `failure` until libhdf5's call has returned.
class FileBytes : public std::enable_shared_from_this<FileBytes> {
public:
  FileBytes() = default;
  virtual ~FileBytes() = default;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  /// Values, or what describes them.
  virtual void read(std::uint64_t position, std::span<std::byte> out, bool isData) = 0;
  virtual void write(std::uint64_t position, std::span<const std::byte> bytes) = 0;
  /// Makes a file that is written so long, or as long as what is written.
  virtual void extend(std::uint64_t size) = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// Throws what waits, and forgets it. Under the lock.
  void rethrowFailure() {
    if (failure)
      std::rethrow_exception(std::exchange(failure, nullptr));
  }

  std::exception_ptr failure;
};

/// A file that is only read; who has it open may be gone before libhdf5 has closed it.
class SourceBytes final : public FileBytes {
public:
  explicit SourceBytes(std::unique_ptr<io::ByteSource> source) : m_source(std::move(source)) {}
  [[nodiscard]] const io::ByteSource& source() const noexcept { return *m_source; }
  void read(std::uint64_t position, std::span<std::byte> out, bool isData) override;
  void write(std::uint64_t position, std::span<const std::byte> bytes) override;
  void extend(std::uint64_t size) override;
  [[nodiscard]] std::uint64_t size() const override { return m_source->size(); }
  /// What describes objects at these places will be read: from far away in one request, as far as
  /// that is not too much.
  void expect(std::span<const std::uint64_t> places);

private:
  [[nodiscard]] std::size_t lengthBytes();
  [[nodiscard]] io::ByteRange blockAt(std::uint64_t position) const;
  void readBlocks(std::uint64_t position, std::span<std::byte> out);

  std::unique_ptr<io::ByteSource> m_source;
  Buffer m_scratch;
  std::map<std::uint64_t, Buffer> m_blocks; // of a file far away, by their position
};

/// A file that is new. Of it nothing can be read again but what is written after keep(): libhdf5
/// has to keep its metadata in memory until it is closed, as accessToNew() tells it.
class SinkBytes final : public FileBytes {
public:
  /// The sink outlives it, or is not wanted any more: drop().
  explicit SinkBytes(io::ByteSink& sink) : m_sink(sink) {}
  void read(std::uint64_t position, std::span<std::byte> out, bool isData) override;
  void write(std::uint64_t position, std::span<const std::byte> bytes) override;
  void extend(std::uint64_t size) override;
  [[nodiscard]] std::uint64_t size() const override { return std::max(m_size, m_end); }
  /// From now on what is written can be read again, as libhdf5 does with attributes of more than
  /// 64 KiB.
  void keep() noexcept { m_isKeeping = true; }
  /// Once libhdf5 has closed it: makes it as long as it was to be at last.
  void finish() { fillTo(m_end); }
  /// Drops what is written from now on: the file is given up.
  void drop() noexcept { m_isDropped = true; }

private:
  void fillTo(std::uint64_t size);

  io::ByteSink& m_sink;
  std::uint64_t m_size = 0; // of what is written
  std::uint64_t m_end = 0;  // of the file, which may become shorter again before it is closed
  bool m_isDropped = false;
  bool m_isKeeping = false;
  std::map<std::uint64_t, Buffer> m_kept; // by their position
};

/// The properties by which libhdf5 opens a file of these bytes, of which it keeps a shared
/// pointer. Under the lock.
[[nodiscard]] Handle accessTo(FileBytes& bytes);
/// The same of a file that is created: of HDF5's version 1.10, whose metadata have checksums.
[[nodiscard]] Handle accessToNew(FileBytes& bytes);

} // namespace kaon::hdf5
