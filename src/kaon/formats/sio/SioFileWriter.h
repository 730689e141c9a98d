#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/FileDocuments.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/WholeFile.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace kaon::sio {

/// What files of SIO have in common while they are written: records, one batch after another, and
/// what a file ends with. If the sink fails, or nobody finishes the file, it does not take its
/// place.
class SioFileWriter : public Sink {
public:
  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  void append(std::unique_ptr<EncodedBatch> batch) override;
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;
  void abandon() noexcept override;

protected:
  /// Throws Error(usage) for codecs other than zlib; zstd, kaon's own default, is zlib here.
  SioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options);

  /// Writes a batch that encode() made, by writeBytes(). Throws Error(usage) for one of others.
  virtual void writeBatch(EncodedBatch& batch) = 0;
  /// Writes what comes behind all batches.
  virtual void writeEnd() = 0;

  /// Takes in the tables of a batch that are new. Throws Error(usage) if others differ.
  void addTables(std::string_view category, const Schema& schema);
  void writeBytes(std::span<const std::byte> bytes);
  /// Where the next bytes come.
  [[nodiscard]] std::uint64_t position() const noexcept { return m_position; }
  [[nodiscard]] const Documents& documents() const noexcept { return m_documents; }
  [[nodiscard]] Compression codec() const noexcept { return m_codec; }
  [[noreturn]] void failStranger() const;
  void checkOpen() const { m_whole.checkOpen(); }

  mutable std::mutex m_mutex; // of all that is written

private:
  std::unique_ptr<io::ByteSink> m_sink;
  io::WholeFile m_whole{*m_sink};
  Compression m_codec;
  std::map<std::string, Schema, std::less<>> m_schemas; // by category
  Documents m_documents;
  std::uint64_t m_position = 0;
};

} // namespace kaon::sio
