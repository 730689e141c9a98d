#include <kaon/store/FileWriter.h>

#include <kaon/base/Hash.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace kaon::store {

FileWriter::FileWriter(std::unique_ptr<io::ByteSink> sink, FileOptions options)
    : m_sink(std::move(sink)), m_pages(options.compression, options.pageBytes) {
  std::random_device random;
  m_fileId = (std::uint64_t{random()} << 32) | random();
  FileHeader header;
  header.fileId = m_fileId;
  header.checksum = checksum(bytesBefore(header, offsetof(FileHeader, checksum)));
  put(std::as_bytes(std::span(&header, 1)));
}

void FileWriter::write(std::string_view categoryName, const Batch& batch) {
  if (!m_open)
    fail(ErrorKind::usage, m_sink->name(), ": is finished, or failed; nothing can be written");
  if (batch.entries() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, m_sink->name(), ": a batch of more than 4294967295 entries");
  m_open = false; // unless all goes well: after half a cluster nothing can follow
  Category& target = category(categoryName);
  extendSchema(target, batch.schema());
  if (batch.entries() > 0) {
    m_pages.encode(batch, target.choosers);
    align();
    const auto entries = static_cast<std::uint32_t>(batch.entries());
    target.clusters.push_back({m_position, target.entries, entries});
    RecordHeader header;
    header.kind = RecordKind::cluster;
    header.firstEntry = target.entries;
    header.entries = entries;
    header.category = number(target);
    writeRecord(header, m_pages.meta(), m_pages.pages());
    target.entries += entries;
  }
  m_open = true;
}

void FileWriter::addDocument(std::string_view name, std::string_view text) {
  if (!m_open)
    fail(ErrorKind::usage, m_sink->name(), ": is finished, or failed; nothing can be written");
  const auto known = m_documents.find(name);
  if (known != m_documents.end() && known->second == text)
    return;
  m_open = false;
  ByteWriter meta;
  meta.put(name);
  meta.put(text);
  RecordHeader header;
  header.kind = RecordKind::document;
  writeRecord(header, meta.bytes());
  m_documents.insert_or_assign(std::string(name), std::string(text));
  m_open = true;
}

void FileWriter::finish() {
  if (!std::exchange(m_open, false))
    fail(ErrorKind::usage, m_sink->name(), ": is finished already, or failed");
  writeIndex();
  m_sink->finish();
}

FileWriter::Category& FileWriter::category(std::string_view name) {
  const auto found = std::ranges::find_if(m_categories, [&](auto& c) { return c->name == name; });
  if (found != m_categories.end())
    return **found;
  auto made = std::make_unique<Category>();
  made->name = name;
  return *m_categories.emplace_back(std::move(made));
}

/// Writes the tables of a batch that the file has not seen yet, ahead of the batch.
void FileWriter::extendSchema(Category& category, const Schema& schema) {
  const auto tables = schema.tables();
  const std::size_t known = category.tables.size();
  if (tables.size() < known ||
      !std::equal(category.tables.begin(), category.tables.end(), tables.begin()))
    fail(ErrorKind::usage, m_sink->name(), ": the batch does not have the tables that '",
         category.name, "' has had so far");
  if (tables.size() == known && (known > 0 || !category.clusters.empty()))
    return;
  ByteWriter meta;
  meta.put(category.name);
  meta.put(static_cast<std::uint32_t>(tables.size() - known));
  for (const Table& table : tables.subspan(known))
    writeTable(meta, table);
  RecordHeader header;
  header.kind = RecordKind::schema;
  header.category = number(category);
  writeRecord(header, meta.bytes());
  category.tables.assign(tables.begin(), tables.end());
}

void FileWriter::writeRecord(RecordHeader header, std::span<const std::byte> meta,
                             std::span<const std::byte> pages) {
  align();
  header.fileId = m_fileId;
  header.metaSize = meta.size();
  header.pagesSize = pages.size();
  header.metaChecksum = checksum(meta);
  header.checksum = checksum(bytesBefore(header, offsetof(RecordHeader, checksum)));
  put(std::as_bytes(std::span(&header, 1)));
  put(meta);
  align();
  put(pages);
}

void FileWriter::put(std::span<const std::byte> bytes) {
  m_sink->write(bytes);
  m_position += bytes.size();
}

void FileWriter::align() {
  static constexpr std::array<std::byte, alignment> zeros{};
  put(std::span(zeros).first(static_cast<std::size_t>(aligned(m_position) - m_position)));
}

std::uint32_t FileWriter::number(const Category& category) const {
  const auto found =
      std::ranges::find_if(m_categories, [&](auto& c) { return c.get() == &category; });
  return static_cast<std::uint32_t>(found - m_categories.begin());
}

void FileWriter::writeIndex() {
  ByteWriter meta;
  meta.put(static_cast<std::uint32_t>(m_categories.size()));
  for (const auto& category : m_categories) {
    meta.put(category->name);
    meta.put(static_cast<std::uint32_t>(category->tables.size()));
    for (const Table& table : category->tables)
      writeTable(meta, table);
    meta.put(static_cast<std::uint32_t>(category->clusters.size()));
    for (const Cluster& cluster : category->clusters) {
      meta.put(cluster.position);
      meta.put(cluster.firstEntry);
      meta.put(cluster.entries);
    }
  }
  meta.put(static_cast<std::uint32_t>(m_documents.size()));
  for (const auto& [name, text] : m_documents) {
    meta.put(name);
    meta.put(text);
  }
  align();
  FileTrailer trailer;
  trailer.indexPosition = m_position;
  trailer.fileId = m_fileId;
  trailer.checksum = checksum(bytesBefore(trailer, offsetof(FileTrailer, checksum)));
  RecordHeader header;
  header.kind = RecordKind::index;
  writeRecord(header, meta.bytes());
  put(std::as_bytes(std::span(&trailer, 1)));
}

} // namespace kaon::store
