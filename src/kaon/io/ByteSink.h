#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace kaon::io {

/// Where bytes go, front to back; what some formats begin with is written again. For one thread at
/// a time.
class ByteSink {
public:
  virtual ~ByteSink() = default;
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  /// What to call the sink in messages: a path or URL.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Where files may lie that are needed while it is written: its own directory, or else the
  /// system's for temporary files.
  [[nodiscard]] virtual std::string directory() const;
  /// How many bytes were there before the first that is written: none, unless it is appended to
  /// something.
  [[nodiscard]] virtual std::uint64_t start() const noexcept { return 0; }
  /// Appends all the bytes or throws Error(io). Of a file in a process that was forked since the
  /// file was opened: Error(usage), as finish() then.
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Replaces bytes that were written, all of which lie before the end. Throws Error(io), and
  /// Error(usage) where that is not possible, be it of no bytes: in pipes, and in what is appended
  /// to.
  virtual void rewrite(std::uint64_t position, std::span<const std::byte> bytes);
  /// Makes what was written durable and gives it its final name. Throws Error(io). After that
  /// nothing may be written.
  virtual void finish() = 0;
  /// Gives up what was not finished; nothing may be written after it. What is appended to ends
  /// again where start() says, and other writers may go on with it; a new file stays a ".part".
  virtual void abandon() noexcept {}
  /// Drops what lies behind byte `size` of what is appended to, before anything is written: start()
  /// is `size` then. Throws Error(io), and Error(usage) where there is nothing to drop.
  virtual void cut(std::uint64_t size);
};

/// A new file at `path`, which appears there only at finish(): until then the bytes go to
/// `path` + ".part" and whatever lies at `path` stays as it is. A second writer of the same file,
/// be it one that appends, is refused while the first one lives; a ".part" that a dead writer left
/// is replaced.
[[nodiscard]] std::unique_ptr<ByteSink> fileSink(const std::string& path);

/// Goes on at the end of the file at `path`, which must exist: what is there is never changed, and
/// cut only by cut(). Other writers of the file are refused as long as this one lives. If it dies
/// without finish() that is abandon(). Only where the process is killed do bytes that were written
/// stay: who reads the file has to know where its whole part ends.
[[nodiscard]] std::unique_ptr<ByteSink> appendSink(const std::string& path);

/// Appends to `bytes`, which the caller keeps alive.
[[nodiscard]] std::unique_ptr<ByteSink> memorySink(std::string name, Buffer& bytes);

/// Writes to a descriptor that the caller keeps open: a pipe, a socket, the standard output; `name`
/// stands for it in messages. A reader who has gone is Error(io), not the end of the program:
/// SIGPIPE is held back while bytes are written, and what the program does about it else is left as
/// it is.
[[nodiscard]] std::unique_ptr<ByteSink> streamSink(int descriptor, std::string name);

} // namespace kaon::io
