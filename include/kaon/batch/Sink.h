#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/Favour.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// How a sink stores what it is given, as far as its format knows of it.
struct SinkOptions {
  Compression codec = zstd(1);
  std::size_t pageBytes = 64 * 1024; ///< decoded bytes of a page's largest column; in rows, of all
                                     ///< columns of the collection or group
  /// Forced ones, by column: "MCParticles.PDG"; "MCParticles" is its counts, or its rows.
  std::map<std::string, codec::Scheme, std::less<>> encodings = {};
  Favour favour = Favour::balance; ///< of what is found best for the others
  /// Memory that is kept for the next clusters, or that of one cluster.
  std::size_t spareBytes = 8 * 1024 * 1024;
  /// What entries are found by, in the order in which it is sorted; see WriterOptions::keys.
  std::vector<std::string> keys = {};
  /// What the keys of a category take in memory, until they are sorted; the rest waits in a
  /// temporary file.
  std::size_t keyBytes = std::size_t{32} << 20;
  /// The name of the file's format; empty: what its path's suffix says. See files/Format.h.
  std::string format = {};
};

namespace detail {

/// What files of a format cannot hold as it is, and why: a table with all under it, or one member
/// of its rows.
struct Loss {
  std::uint32_t table;
  std::string reason;
  std::optional<std::uint32_t> member = {};
  std::optional<Scalar> type = {}; ///< a wider one of the member's, of which files can hold all
};

/// A batch as its sink will append it: a cluster.
class EncodedBatch {
public:
  virtual ~EncodedBatch() = default;
  EncodedBatch() = default;
  EncodedBatch(const EncodedBatch&) = delete;
  EncodedBatch& operator=(const EncodedBatch&) = delete;

  /// Memory that it takes.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

} // namespace detail

/// What takes batches: a file of any format that is being written. Batches are encoded, which is
/// the work, in any number of threads, and appended in the order that the caller wants. All
/// functions are safe for concurrent use. BatchWriter does all this for a program.
class Sink {
public:
  virtual ~Sink() = default;
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// What to call it in messages: a path or URL.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// The tables of a category so far; none if it is new.
  [[nodiscard]] virtual Schema schema(std::string_view category) const = 0;

  /// Whether the entries of a category lead those of others: they are to be appended as they are
  /// written, before what is written after them. LCIO's runs are such.
  [[nodiscard]] virtual bool isLeading(std::string_view /*category*/) const { return false; }

  /// Encodes a batch of a category. Batches of one category have the same tables in the same order;
  /// some may not have the last of them yet, others further ones. All members are there. Throws
  /// Error(usage) for a batch that does not fit, and after finish(); the file stays as it was.
  [[nodiscard]] virtual std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                                     const Batch& batch) = 0;
  /// Appends what encode() returned to its category. Throws Error(io); the file then cannot be
  /// completed.
  virtual void append(std::unique_ptr<detail::EncodedBatch> batch) = 0;
  /// Whether sinks of this format can append what another one encoded.
  [[nodiscard]] virtual bool takesCopies() const noexcept { return false; }
  /// Appends a batch that another sink of the same format and options encoded for its category of
  /// this name, which has had the same tables and documents so far. The batch can be appended to
  /// others after that. Throws as append(); Error(usage) for a batch that does not fit.
  virtual void appendCopy(std::string_view category, detail::EncodedBatch& batch);
  /// Takes the memory of a batch that it encoded and that is not appended to it.
  virtual void takeBack(std::unique_ptr<detail::EncodedBatch> /*batch*/) {}
  /// Takes what encode() returned out of memory, as far as the sink can, if it is to be appended
  /// much later. Throws Error(io); the file then cannot be completed.
  virtual void setAside(detail::EncodedBatch& /*batch*/) {}
  /// encode() and append().
  void write(std::string_view category, const Batch& batch) { append(encode(category, batch)); }

  /// Adds a text to the file; one of the same name is replaced.
  virtual void addDocument(std::string_view name, std::string_view text) = 0;
  /// Completes the file. Throws Error(io); the file then does not take its place.
  virtual void finish() = 0;
  /// Gives up what was not finished; nothing can be written after it. A file that was appended to
  /// is what it was before.
  virtual void abandon() noexcept {}
};

} // namespace kaon
