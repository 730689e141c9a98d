#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/ObjectStore.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/io/ByteSink.h>

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

/// How a sink stores batches, as far as its format supports it.
struct SinkOptions {
  Compression codec = zstd(1);
  /// Decoded bytes of a page's largest column; in layout row, of all columns of the collection or
  /// group.
  std::size_t pageBytes = 64 * 1024;
  /// Forced encodings by column, such as "MCParticles.PDG". "MCParticles" names its counts, or its
  /// rows.
  std::map<std::string, codec::Scheme, std::less<>> encodings = {};
  EncodingGoal goal = EncodingGoal::balance; ///< how to choose all others
  /// Memory in bytes to keep for reuse between clusters. One cluster may exceed it.
  std::size_t spareBytes = 8 * 1024 * 1024;
  /// The keys to find entries by, in sorting order; see WriterOptions::keys.
  std::vector<std::string> keys = {};
  /// Memory in bytes for the unsorted keys of a category; further keys go to a temporary file.
  std::size_t keyBytes = std::size_t{32} << 20;
  /// The name of the file's format, see WriterOptions; empty to use the suffix of its path.
  std::string format = {};
  Sync sync = Sync::finish; ///< when bytes are made durable
};

namespace detail {

/// Data that files of a format cannot store unchanged, and why: a table with all tables under it,
/// or one member of its rows.
struct Loss {
  TableNumber table;
  std::string reason;
  std::optional<std::uint32_t> member = {};
  std::optional<Scalar> type = {}; ///< a wider type that files can store
};

/// A batch as its sink will append it: a cluster.
class EncodedBatch {
public:
  virtual ~EncodedBatch() = default;
  EncodedBatch() = default;
  EncodedBatch(const EncodedBatch&) = delete;
  EncodedBatch& operator=(const EncodedBatch&) = delete;

  /// Returns the memory that it takes, in bytes.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

} // namespace detail

/// A file that is being written, in any format. Writing has two steps. encode() compresses a batch
/// and may run on any number of threads. append() writes the result in the caller's order. All
/// functions are thread-safe. Most programs use BatchWriter, which drives a Sink.
class Sink {
public:
  virtual ~Sink() = default;
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Returns the file's path or URL, for messages.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Returns the tables of a category so far; none if it is new.
  [[nodiscard]] virtual Schema schema(std::string_view category) const = 0;

  /// Returns whether entries of a category come before those of others, as LCIO's runs do. You must
  /// append them when they are written, before later entries of other categories.
  [[nodiscard]] virtual bool isLeading(std::string_view /*category*/) const { return false; }

  /// Encodes a batch of a category. Batches of a category have the same tables in the same order; a
  /// batch may lack the last tables, or add further ones. All members must be present. Throws
  /// Error(usage) after finish(), and for a batch that does not fit; the file stays as it was.
  [[nodiscard]] virtual std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                                     const Batch& batch) = 0;
  /// Appends a result of encode() to its category. Throws Error(io); the file then cannot be
  /// completed.
  virtual void append(std::unique_ptr<detail::EncodedBatch> batch) = 0;
  /// Returns whether sinks of this format can append batches that another sink encoded.
  [[nodiscard]] virtual bool takesCopies() const noexcept { return false; }
  /// Appends a batch that another sink of the same format and options encoded for its category of
  /// this name. That category must have had the same tables and documents so far. You can append
  /// the batch to further sinks afterwards. Throws as append(), and Error(usage) for a batch that
  /// does not fit.
  virtual void appendCopy(std::string_view category, detail::EncodedBatch& batch);
  /// Takes the memory of a batch that this sink encoded and will not append.
  virtual void takeBack(std::unique_ptr<detail::EncodedBatch> /*batch*/) {}
  /// Moves a result of encode() out of memory, as far as the sink can, if you will append it much
  /// later. Throws Error(io); the file then cannot be completed.
  virtual void setAside(detail::EncodedBatch& /*batch*/) {}
  /// Encodes a batch and appends it.
  void write(std::string_view category, const Batch& batch) { append(encode(category, batch)); }

  /// Adds a text to the file. Replaces an earlier text of the same name.
  virtual void addDocument(std::string_view name, std::string_view text) = 0;
  /// Whether files of this format hold objects beside categories, such as histograms.
  [[nodiscard]] virtual bool holdsObjects() const noexcept { return false; }
  /// Writes an object under a name with folders, such as "folder/h". Its class must be one that the
  /// format can describe. Throws Error(usage) otherwise, or if the name is used already.
  virtual void addObject(std::string_view name, const ObjectTree& object);
  /// Makes all appended batches durable, together with the facts that readers need to find them. If
  /// the machine loses power later, kaon opens the unfinished file up to the last of these batches.
  /// Throws Error(io); the file then cannot be completed. Throws Error(usage) for formats whose
  /// files cannot be read before they are finished.
  virtual void sync();
  /// Copies an object of another file of any format. `changed` is the object with other values of
  /// its members, such as a sum; null to copy it as it is. Returns why files of this format cannot
  /// hold it, or "" if it was copied. Call it before append(). Throws Error(usage) if the name is
  /// used already. Throws Error(corrupt), Error(io).
  [[nodiscard]] virtual std::string copyObject(const ObjectStore& store, const StoredObject& object,
                                               const ObjectTree* changed);
  /// Completes the file. Throws Error(io); the file then does not replace the one at its path.
  virtual void finish() = 0;
  /// Discards the unfinished file; nothing can be written after it. If the file was opened for
  /// appending, it stays as it was before.
  virtual void abandon() noexcept {}
  /// Makes the entries of `columns`, a category that you write next, further columns of `category`,
  /// which the file has already. Both must have the same number of entries, else finish() throws
  /// Error(usage) and the file stays as it was. Throws Error(name) with a suggestion, and
  /// Error(usage) for files that cannot get columns: only trees of ROOT files can.
  virtual void addColumns(std::string_view category, std::string_view columns);
};

} // namespace kaon
