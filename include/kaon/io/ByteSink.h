#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kaon {

/// When a writer makes its bytes durable, so that they survive a loss of power. All policies keep
/// bytes that were written when the program alone is killed.
enum class Sync : std::uint8_t {
  never,   ///< The system decides. The finished file may be empty or cut after a loss of power.
  finish,  ///< When the file is finished, before it replaces the one at its path.
  cluster, ///< Also each cluster, as soon as it is written.
  flush    ///< Also at each flush() of the writer.
};

/// Returns the policy of this name. Throws Error(name) with a suggestion.
[[nodiscard]] Sync syncNamed(std::string_view name);

} // namespace kaon

namespace kaon::io {

/// A destination of bytes, written from front to back; some formats write their beginning again.
/// For one thread at a time.
class ByteSink {
public:
  virtual ~ByteSink() = default;
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  /// Returns the sink's name for messages: a path or URL.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Returns the directory for files that are needed during writing: its own, or else the system's
  /// for temporary files.
  [[nodiscard]] virtual std::string directory() const;
  /// Returns the number of bytes before the first written one: 0 unless it appends.
  [[nodiscard]] virtual std::uint64_t start() const noexcept { return 0; }
  /// Appends all the bytes or throws Error(io). For files, a process that was forked after the file
  /// was opened gets Error(usage), also from finish().
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Replaces bytes, all before the end. Throws Error(io). Throws Error(usage) for pipes, even if
  /// `bytes` is empty. A file that is appended to becomes durable first. Afterwards abandon()
  /// leaves it as it is, and nothing may be appended.
  virtual void rewrite(std::uint64_t position, std::span<const std::byte> bytes);
  /// Makes the written bytes and the file's present name durable, as far as the destination can.
  /// Throws Error(io).
  virtual void sync() {}
  /// Makes the bytes durable, unless the policy is Sync::never, and gives the file its final name.
  /// Throws Error(io), also if the name alone cannot be made durable; the file is complete then.
  /// Nothing may be written afterwards.
  virtual void finish() = 0;
  /// Gives up an unfinished file; nothing may be written afterwards. A file that was appended to is
  /// cut to its size at the last sync(), or to start(). Then other writers can append to it. A new
  /// file remains a ".part".
  virtual void abandon() noexcept {}
  /// Cuts the file that is appended to after byte `size`, which becomes start(). Call it before the
  /// first write. Throws Error(io), and Error(usage) if nothing can be cut.
  virtual void cut(std::uint64_t size);
};

/// Writes a new file that appears at `path` only after finish(). Until then the bytes go to `path`
/// + ".part", and a file at `path` stays unchanged. While this sink lives, other writers of the
/// file, also appending ones, are refused. A ".part" of a dead writer is renamed to ".part.1", or
/// the next free number.
[[nodiscard]] std::unique_ptr<ByteSink> fileSink(const std::string& path, Sync sync = Sync::finish);

/// Appends to the file at `path`, which must exist. Only rewrite() changes its bytes, and only
/// cut() removes some. While this sink lives, other writers of the file are refused. Destroying it
/// without finish() acts like abandon(). Only if the process is killed do written bytes remain:
/// readers must know where the complete part ends.
[[nodiscard]] std::unique_ptr<ByteSink> appendSink(const std::string& path,
                                                   Sync sync = Sync::finish);

/// Appends to `bytes`, which the caller keeps alive.
[[nodiscard]] std::unique_ptr<ByteSink> memorySink(std::string name, Buffer& bytes);

/// Writes to a descriptor that the caller keeps open: a pipe, a socket, or the standard output;
/// `name` is its name in messages. If the reader is gone, throws Error(io) and does not end the
/// program: SIGPIPE is blocked during writes. The program's own handling of SIGPIPE is unchanged.
[[nodiscard]] std::unique_ptr<ByteSink> streamSink(int descriptor, std::string name);

} // namespace kaon::io
