#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/root/RootCategoryWriter.h>
#include <kaon/formats/root/RootDocuments.h>
#include <kaon/formats/root/ntuple/NTupleWriter.h>
#include <kaon/formats/root/podio/RootFileDescription.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::root::podio {

/// Returns the tables of frames that podio cannot store, ascending, for a file with these models.
/// Tables below a lost table are not listed. Throws Error(corrupt) for documents that are not
/// models.
[[nodiscard]] std::vector<detail::Loss>
lossesInFrames(const Schema& schema, std::span<const ModelDatatypes::Document> models);

/// Writes a category in podio's layout: an RNTuple of the tables that FrameTables.h describes.
class FrameWriter final : public RootCategoryWriter {
public:
  /// `documents` are those of the file, including models. The description of the category is added
  /// to `description`. Both must outlive the writer.
  FrameWriter(std::string name, Compression codec, std::size_t pageBytes,
              const Documents& documents, RootFileDescription& description)
      : m_documents(documents), m_description(description),
        m_stored(std::move(name), codec, pageBytes, true) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_stored.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  /// The models of the collections' datatypes must be among the documents.
  void addTables(const Schema& schema, const std::string& file) override;
  [[nodiscard]] std::unique_ptr<EncodedEntries> encode(const Schema& schema, const Batch& batch,
                                                       Buffer pages) const override;
  void write(ContainerWriter& file, EncodedEntries& encoded) override;
  [[nodiscard]] std::string finish(ContainerWriter& file) override;

private:
  void check(const Schema& schema, std::span<const ModelDatatypes::Document> models,
             const std::string& file) const;

  const Documents& m_documents;
  RootFileDescription& m_description;
  Schema m_schema; // of the frames
  NTupleWriter m_stored;
};

} // namespace kaon::root::podio
