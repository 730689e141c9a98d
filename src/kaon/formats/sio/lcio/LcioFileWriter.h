#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/SioFileWriter.h>
#include <kaon/formats/sio/lcio/FileIndex.h>
#include <kaon/formats/sio/lcio/LcioEventEncoder.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// Returns the tables of a category that LCIO's files cannot hold.
[[nodiscard]] std::vector<detail::Loss> lossesInLcio(std::string_view category,
                                                     const Schema& schema);
/// Returns why there cannot be a category of this name, or "".
[[nodiscard]] std::string obstacleTo(std::string_view category);

/// Writes an LCIO file of version 2.23 with the categories "events" and "runs". A run header is
/// written before the first event of the run that is appended after it. Models are left out,
/// because all readers know LCIO's model.
class LcioFileWriter final : public SioFileWriter {
  struct Records;

public:
  LcioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options)
      : SioFileWriter(std::move(sink), options) {}

  [[nodiscard]] bool isLeading(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override;

private:
  void writeBatch(detail::EncodedBatch& batch) override;
  void writeEnd() override;
  void keepRuns(const EncodedEvents& runs);
  void writeEvents(const EncodedEvents& events);
  void writeRuns(std::size_t end);

  std::vector<IndexEntry> m_index;
  EncodedEvents m_runs;
  std::map<std::int32_t, std::size_t> m_endOfRun; // one past its last header in m_runs
  std::size_t m_writtenRuns = 0;
};

} // namespace kaon::sio::lcio
