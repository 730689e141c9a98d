#pragma once

#include "support/PodioContents.h"

#include <kaon/batch/Batches.h>
#include <kaon/batch/Sink.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Metadata.h>
#include <kaon/model/ModelDatatypes.h>

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <vector>

// What is true of all files that frames are written to as podio writes them.

namespace kaon::test {

/// Writes all of a file again, batch by batch.
inline void copy(const File& file, Sink& sink) {
  for (const std::string& name : file.documents())
    sink.addDocument(name, file.document(name));
  for (const std::string& name : file.categories())
    for (const Batch& batch : Batches::ofAll(file.category(name)))
      sink.write(name, batch);
}

/// A file of frames keeps metadata beside what podio's files say of themselves.
template <class Writing>
void expectMetadataKept() {
  Writing writing;
  Metadata metadata;
  metadata.set("experiment", "ours");
  metadata.set("podio", "1.2.0"); // of where the frames came from
  writing.writer.addDocument(metadataDocument, metadata.toJson());
  const auto file = writing.finished();
  const Metadata back = Metadata::fromJson(file->document(metadataDocument), "f");
  EXPECT_EQ(back.get<std::string>("experiment"), "ours");
  EXPECT_EQ(back.get<std::string>("podio"), "1.7.0");
}

/// The reasons for which podio cannot have tables, by their names, as a format finds them.
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
  for (const Loss& loss : lossesIn(schema, models))
    reasons.emplace(schema.table(loss.table).name, loss.reason);
  return reasons;
}

} // namespace kaon::test
