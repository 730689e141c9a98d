#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/lcio/EventPlan.h>
#include <kaon/formats/sio/lcio/FileIndex.h>
#include <kaon/io/ByteSink.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// What of these tables LCIO's files cannot hold.
[[nodiscard]] std::vector<Loss> lossesInLcio(const Schema& schema);

/// Writes an LCIO file of version 2.23. It has the categories "events" and "runs". If the sink
/// fails, or nobody finishes the file, it does not take its place.
class LcioFileWriter final : public Sink {
  struct Records;

public:
  /// Throws Error(usage) for codecs other than zlib; zstd, kaon's own default, is zlib here.
  LcioFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options);
  ~LcioFileWriter() override;

  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<EncodedBatch> encode(std::string_view category,
                                                     const Batch& batch) override;
  void append(std::unique_ptr<EncodedBatch> batch) override;
  /// They are left out: LCIO's model is known to all who read its files.
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;
  void abandon() noexcept override;

private:
  void checkOpen() const;
  void attempt(const auto& write);
  void addTables(std::string_view category, const Schema& schema);

  mutable std::mutex m_mutex; // of all that follows
  std::unique_ptr<io::ByteSink> m_sink;
  SinkOptions m_options;
  std::map<std::string, Schema, std::less<>> m_schemas; // by category
  std::vector<IndexEntry> m_index;
  std::uint64_t m_position = 0;
  bool m_open = true; // not finished, and nothing failed
};

} // namespace kaon::sio::lcio
