#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/SioFileWriter.h>
#include <kaon/formats/sio/lcio/EventPlan.h>
#include <kaon/formats/sio/lcio/FileIndex.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// What of a category's tables LCIO's files cannot hold.
[[nodiscard]] std::vector<Loss> lossesInLcio(std::string_view category, const Schema& schema);
/// Why there cannot be a category of this name; "" if there can.
[[nodiscard]] std::string obstacleTo(std::string_view category);

/// Writes an LCIO file of version 2.23. It has the categories "events" and "runs". Models are left
/// out: LCIO's is known to all who read its files.
class LcioFileWriter final : public SioFileWriter {
  struct Records;

public:
  LcioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options)
      : SioFileWriter(std::move(sink), options) {}

  [[nodiscard]] std::unique_ptr<EncodedBatch> encode(std::string_view category,
                                                     const Batch& batch) override;

private:
  void writeBatch(EncodedBatch& batch) override;
  void writeEnd() override;

  std::vector<IndexEntry> m_index;
};

} // namespace kaon::sio::lcio
