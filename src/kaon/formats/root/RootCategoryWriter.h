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

/// Encoded entries of one cluster, ready to be written.
struct EncodedEntries {
  virtual ~EncodedEntries() = default;
  EncodedEntries() = default;
  EncodedEntries(const EncodedEntries&) = delete;
  EncodedEntries& operator=(const EncodedEntries&) = delete;
  /// Bytes of memory that describe the pages. The pages themselves are not included.
  [[nodiscard]] virtual std::size_t bytesBeside() const noexcept = 0;

  std::uint64_t entries = 0;
  Buffer pages; ///< the pages or baskets, one after another
};

/// Writes one category of a ROOT file as an RNTuple or a tree. Clusters are written as they arrive.
/// The description of the category follows in finish(). For one thread at a time, except encode(),
/// which any thread may call.
class RootCategoryWriter {
public:
  virtual ~RootCategoryWriter() = default;
  RootCategoryWriter() = default;
  RootCategoryWriter(const RootCategoryWriter&) = delete;
  RootCategoryWriter& operator=(const RootCategoryWriter&) = delete;

  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// The schema with each column stored separately.
  [[nodiscard]] virtual const Schema& schema() const noexcept = 0;
  /// Adds the tables that the schema does not have yet. Throws Error(usage) if known tables differ
  /// or new ones cannot be written. `file` is the file's name for the message.
  virtual void addTables(const Schema& schema, const std::string& file) = 0;

  /// Encodes a batch into the memory of `pages`. `schema` has the tables of the batch, each column
  /// stored separately. Any thread may call this.
  [[nodiscard]] virtual std::unique_ptr<EncodedEntries>
  encode(const Schema& schema, const Batch& batch, Buffer pages) const = 0;
  /// Throws Error(io).
  virtual void write(ContainerWriter& file, EncodedEntries& encoded) = 0;
  /// Writes the description of the category. Returns JSON about the tables, which the file must
  /// keep, or "" if there is nothing to keep. Throws Error(io).
  [[nodiscard]] virtual std::string finish(ContainerWriter& file) = 0;
};

} // namespace kaon::root
