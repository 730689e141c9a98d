#include <kaon/formats/kaonfile/GatheredTags.h>

#include <kaon/detail/batch/StridedCopy.h>

#include <span>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Appends the missing value for entries without a tag.
void addMissing(Buffer& values, const Member& tag, std::uint32_t entries) {
  for (std::uint32_t entry = 0; entry < entries; ++entry)
    values.append(std::as_bytes(std::span(&tag.missing, 1)).first(tag.size()));
}

bool isTag(const Table& table) { return has(table.use, TableUse::tag); }

} // namespace

TagValues tagsOf(const Batch& batch) {
  TagValues tags;
  const Schema& schema = batch.schema();
  for (TableNumber table = 0; table < schema.size(); ++table) {
    const Table info = schema.table(table);
    if (!isTag(info))
      continue;
    const ColumnView& values = batch.table(table).members[0];
    const std::size_t size = info.members[0].size();
    detail::copyStrided(tags[table].grow(batch.entries() * size), size, values.base, values.stride,
                        batch.entries(), size);
  }
  return tags;
}

void GatheredTags::addTables(std::uint32_t first) {
  const Schema& schema = m_file.category(m_category).schema;
  for (TableNumber table = first; m_entries > 0 && table < schema.size(); ++table)
    if (isTag(schema.table(table)))
      addMissing(m_tags[table], schema.table(table).members[0], m_entries);
}

void GatheredTags::add(const TagValues& tags, std::uint32_t entries) {
  if (!wants(entries))
    return write();
  const CategoryContents& contents = m_file.category(m_category);
  for (TableNumber table = 0; table < contents.schema.size(); ++table) {
    const Table info = contents.schema.table(table);
    if (!isTag(info))
      continue;
    Buffer& all = m_tags[table];
    if (const auto values = tags.find(table); values != tags.end())
      all.append(values->second.bytes());
    else
      addMissing(all, info.members[0], entries);
  }
  if (m_tags.empty())
    return;
  if (m_entries == 0)
    m_firstEntry = contents.entries - entries;
  m_entries += entries;
  ++m_clusters;
  if (m_entries >= m_enough)
    write();
}

void GatheredTags::write() {
  if (m_clusters > 1) {
    const Schema& schema = m_file.category(m_category).schema;
    Batch batch(schema, m_firstEntry, m_entries);
    for (const auto& [table, values] : m_tags) {
      batch.table(table).rows = m_entries;
      batch.table(table).members.push_back({values.data(), schema.table(table).members[0].size()});
    }
    m_pages.setBuffers(m_memory.take());
    m_pages.encode(batch, PageWriter::Which::tags);
    PageBuffers encoded = m_pages.takeBuffers();
    m_file.writeTags(m_category, m_firstEntry, m_entries, encoded.bytes());
    m_memory.keep(std::move(encoded));
  }
  m_tags.clear();
  m_entries = 0;
  m_clusters = 0;
}

} // namespace kaon::kaonfile
