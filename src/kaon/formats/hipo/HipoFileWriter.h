#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/StoredEntries.h>
#include <kaon/formats/hipo/HipoEventPlan.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/WholeFile.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hipo {

/// Writes a HIPO file of version 6. Each batch becomes records, separate for each tag. The only
/// category is "events". The dictionary comes before the events, with reserved space for later
/// tables and texts. If the sink fails or finish() is not called, the file does not appear at its
/// path.
class HipoFileWriter final : public Sink, public StoredEntriesSink {
  struct Records;

public:
  /// Throws Error(io). Throws Error(usage) for pipes, because the beginning of a HIPO file is
  /// written last. Throws Error(usage) for LZMA.
  HipoFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options);
  ~HipoFileWriter() override;

  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override;
  [[nodiscard]] bool takesStoredEntries(const Source& source) const override;
  void append(std::unique_ptr<detail::EncodedBatch> batch) override { appendCopy({}, *batch); }
  [[nodiscard]] bool takesCopies() const noexcept override { return true; }
  void appendCopy(std::string_view category, detail::EncodedBatch& batch) override;
  /// Values of "metadata" become the user configuration. Other texts do, too, under their names.
  /// Models are left out, because HIPO files do not contain their types.
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;
  void abandon() noexcept override;

private:
  struct IndexRow {
    std::uint64_t position = 0;
    std::uint32_t bytes = 0;
    std::uint32_t events = 0;
    std::uint64_t tag = 0;
  };
  using Banks = std::map<std::uint32_t, BankDescription>; // by key
  using Configuration = std::map<std::string, std::string, std::less<>>;
  [[nodiscard]] HipoEventPlan planWith(const Batch& batch);
  [[nodiscard]] std::uint64_t checkedBytes(const BankDescription& bank) const;
  void checkDictionary(const Banks& banks, const Configuration& configuration,
                       std::uint64_t bytes) const;
  void begin();
  void writeBytes(std::span<const std::byte> bytes);
  [[nodiscard]] Buffer index() const;

  mutable std::mutex m_mutex; // guards all members below
  std::unique_ptr<io::ByteSink> m_sink;
  io::WholeFile m_whole{*m_sink};
  SinkOptions m_options;
  Schema m_schema;
  BankNumbers m_numbers;
  Banks m_banks;
  Configuration m_configuration;
  std::uint64_t m_descriptionBytes = 0; // of the texts of banks and configuration
  std::vector<IndexRow> m_index;
  std::uint32_t m_dictionaryRoom = 0; // 0 until something is written
  std::uint64_t m_position = 0;
};

} // namespace kaon::hipo
