#pragma once

#include "support/PodioContents.h"

#include <kaon/batch/Sink.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Metadata.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/reading/Batches.h>

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <vector>

// Expectations for all files to which frames are written in podio's form.

namespace kaon::test {

/// Writes all contents of a file again, batch by batch.
inline void copy(const File& file, Sink& sink) {
  for (const std::string& name : file.documents())
    sink.addDocument(name, file.document(name));
  for (const std::string& name : file.categories())
    for (const Batch& batch : Batches::ofAll(file.category(name)))
      sink.write(name, batch);
}

/// Expects that a file of frames keeps metadata beside the metadata of podio's files.
template <class Writing>
void expectMetadataKept() {
  Writing writing;
  Metadata metadata;
  metadata.set("experiment", "ours");
  metadata.set("podio", "1.2.0"); // from the file that the frames came from
  writing.writer.addDocument(detail::metadataDocument, metadata.toJson());
  const auto file = writing.finished();
  const Metadata back = Metadata::fromJson(file->document(detail::metadataDocument), "f");
  EXPECT_EQ(back.get<std::string>("experiment"), "ours");
  EXPECT_EQ(back.get<std::string>("podio"), "1.7.0");
}

/// Returns the reasons why podio cannot hold tables, by their names, as a format finds them.
template <class LossesIn>
std::map<std::string, std::string> lossesOf(const std::vector<TableDefinition>& tables,
                                            LossesIn lossesIn) {
  const std::string bytes = podioSample("toy", ".rntuple.root");
  const std::vector<ModelDatatypes::Document> models{
      {"f", root::openRootFile(io::memorySource("f", std::as_bytes(std::span(bytes))), {})
                ->document("model:toymodel")}};
  Schema schema;
  for (const TableDefinition& table : tables)
    schema.add(table);
  std::map<std::string, std::string> reasons;
  for (const detail::Loss& loss : lossesIn(schema, models))
    reasons.emplace(schema.table(loss.table).name, loss.reason);
  return reasons;
}

} // namespace kaon::test
