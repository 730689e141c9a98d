#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace kaon::root {

/// Entries as they will be written.
struct EncodedEntries {
  virtual ~EncodedEntries() = default;
  EncodedEntries() = default;
  EncodedEntries(const EncodedEntries&) = delete;
  EncodedEntries& operator=(const EncodedEntries&) = delete;
  /// Memory of what says where the pages are.
  [[nodiscard]] virtual std::size_t bytesBeside() const noexcept = 0;

  std::uint64_t entries = 0;
  Buffer pages; ///< or baskets, one after another
};

/// Writes a category of a ROOT file, be it as an RNTuple or as a tree: clusters as they come, and
/// at last what describes them. For one thread at a time, but for encode().
class CategoryWriter {
public:
  virtual ~CategoryWriter() = default;
  CategoryWriter() = default;
  CategoryWriter(const CategoryWriter&) = delete;
  CategoryWriter& operator=(const CategoryWriter&) = delete;

  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// With all its columns apart.
  [[nodiscard]] virtual const Schema& schema() const noexcept = 0;
  /// Adds the tables that the schema does not have yet. Throws Error(usage) if the others differ,
  /// or these cannot be written; `file` is for the message.
  virtual void addTables(const Schema& schema, const std::string& file) = 0;

  /// Encodes a batch of which `schema` has the tables, each column apart, into the memory of
  /// `pages`. Any thread.
  [[nodiscard]] virtual std::unique_ptr<EncodedEntries>
  encode(const Schema& schema, const Batch& batch, Buffer pages) const = 0;
  /// Throws Error(io).
  virtual void write(ContainerWriter& file, EncodedEntries& encoded) = 0;
  /// Writes what describes all of it. Returns what is to be kept of the tables: JSON, or "" for
  /// nothing. Throws Error(io).
  [[nodiscard]] virtual std::string finish(ContainerWriter& file) = 0;
};

} // namespace kaon::root
