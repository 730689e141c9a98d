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

/// The common part of writers of SIO files. They write records batch by batch, and then the end of
/// the file. If the sink fails or finish() is not called, the file does not appear at its path.
class SioFileWriter : public Sink {
public:
  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  void append(std::unique_ptr<detail::EncodedBatch> batch) override;
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;
  void abandon() noexcept override;

protected:
  /// Throws Error(usage) for codecs other than zlib. kaon's default, zstd, becomes zlib.
  SioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options);

  /// Writes a batch from encode() by calling writeBytes(). Throws Error(usage) for batches of other
  /// files.
  virtual void writeBatch(detail::EncodedBatch& batch) = 0;
  /// Writes the end of the file.
  virtual void writeEnd() = 0;

  /// Adds the new tables of a batch. Throws Error(usage) if known tables differ.
  void addTables(std::string_view category, const Schema& schema);
  void writeBytes(std::span<const std::byte> bytes);
  /// The position of the next bytes.
  [[nodiscard]] std::uint64_t position() const noexcept { return m_position; }
  [[nodiscard]] const Documents& documents() const noexcept { return m_documents; }
  [[nodiscard]] Compression codec() const noexcept { return m_codec; }
  [[noreturn]] void failStranger() const;
  void checkOpen() const { m_whole.checkOpen(); }

  mutable std::mutex m_mutex; // guards all written data

private:
  std::unique_ptr<io::ByteSink> m_sink;
  io::WholeFile m_whole{*m_sink};
  Compression m_codec;
  std::map<std::string, Schema, std::less<>> m_schemas; // by category
  Documents m_documents;
  std::uint64_t m_position = 0;
};

} // namespace kaon::sio
