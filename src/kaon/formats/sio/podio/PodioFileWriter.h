#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/SioFileWriter.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/podio/SioFileDescriptionWriter.h>
#include <kaon/formats/sio/podio/SioFramePlan.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// Returns the tables of frames that podio cannot store, ascending, for a file with these models.
/// Throws Error(corrupt) for documents that are not models.
[[nodiscard]] std::vector<detail::Loss>
lossesInPodio(const Schema& schema, std::span<const ModelDatatypes::Document> models);
/// Returns why there cannot be a category of this name, or "".
[[nodiscard]] std::string obstacleTo(std::string_view category);
/// The most categories that kaon reads and writes. The other names of records are those of
/// isOwnRecord(), and that of the documents.
inline constexpr std::size_t mostCategories = (mostRecordNames - 5) / 2;

/// Writes frames as podio does in SIO. Add the models of their datatypes as documents before the
/// frames.
class PodioFileWriter final : public SioFileWriter {
  struct Records;

public:
  PodioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options);

  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override;

  void addDocument(std::string_view name, std::string_view text) override;

private:
  void writeBatch(detail::EncodedBatch& batch) override;
  void writeEnd() override;
  [[nodiscard]] std::shared_ptr<const SioFramePlan> planOf(std::string_view category,
                                                           const Schema& schema);
  void checkPlace(std::uint64_t position) const;
  void addPlace(std::string_view name, std::uint64_t position);

  std::map<std::string, std::shared_ptr<const SioFramePlan>, std::less<>> m_plans; // by category
  std::vector<RecordPositions> m_places; // in order of first occurrence
};

} // namespace kaon::sio::podio
