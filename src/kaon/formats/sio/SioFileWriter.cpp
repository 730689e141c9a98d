#include <kaon/formats/sio/SioFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/model/KnownTables.h>

#include <utility>

namespace kaon::sio {

SioFileWriter::SioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options)
    : m_sink(std::move(sink)), m_codec(compressionOfRecords(options.codec, m_sink->name())) {}

void SioFileWriter::failStranger() const {
  fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
}

Schema SioFileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  const auto known = m_schemas.find(category);
  return known == m_schemas.end() ? Schema() : known->second;
}

void SioFileWriter::addTables(std::string_view category, const Schema& schema) {
  Schema& known = m_schemas[std::string(category)];
  checkKnownTables(schema, known, name(), category);
  for (TableNumber table = known.size(); table < schema.size(); ++table)
    (void)known.add(schema.table(table).definition());
}

void SioFileWriter::writeBytes(std::span<const std::byte> bytes) {
  m_sink->write(bytes);
  m_position += bytes.size();
}

void SioFileWriter::append(std::unique_ptr<detail::EncodedBatch> batch) {
  const std::lock_guard lock(m_mutex);
  m_whole.attempt([&] { writeBatch(*batch); });
}

void SioFileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  m_documents.insert_or_assign(std::string(documentName), std::string(text));
}

void SioFileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  m_whole.finish([&] {
    writeEnd();
    m_sink->finish();
  });
}

void SioFileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_whole.abandon();
}

} // namespace kaon::sio
