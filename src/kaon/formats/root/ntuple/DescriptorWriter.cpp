#include <kaon/formats/root/ntuple/DescriptorWriter.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/objects/ObjectHeader.h>

#include <array>

namespace kaon::root {
namespace {

/// The most pages and columns in a page list. A page list is one record and is read as a whole, so
/// it stays below some megabytes.
constexpr std::size_t mostListed = 64 * 1024;

void putField(EnvelopeWriter& header, const NTupleField& field) {
  constexpr int isArray = 1, hasChecksum = 4;
  const int flags = (field.arraySize > 0 ? isArray : 0) | (field.classChecksum ? hasChecksum : 0);
  header.record([&] {
    header.put(std::uint32_t{0}); // the version of the field
    header.put(field.classVersion);
    header.put(field.parent);
    header.put(static_cast<std::uint16_t>(field.role));
    header.put(static_cast<std::uint16_t>(flags));
    header.putString(field.name);
    header.putString(field.typeName);
    header.putString(field.typeAlias);
    header.putString(field.description);
    if (field.arraySize > 0)
      header.put(field.arraySize);
    if (field.classChecksum)
      header.put(*field.classChecksum);
  });
}

void putColumn(EnvelopeWriter& header, const StoredColumn& column) {
  header.record([&] {
    header.put(static_cast<std::uint16_t>(column.type));
    header.put(column.bits);
    header.put(column.field);
    header.put(std::uint16_t{0}); // no flags
    header.put(column.representation);
  });
}

void putLink(BigEndianWriter& anchor, const EnvelopeLink& link) {
  anchor.put(link.place.position);
  anchor.put(link.place.bytes);
  anchor.put(link.length);
}

} // namespace

EnvelopeLink DescriptorWriter::write(EnvelopeWriter& envelope) {
  const auto plain = envelope.finish();
  Buffer compressed;
  const auto stored = compressDescription(m_codec, plain, compressed) ? compressed.bytes() : plain;
  if (stored.size() >= ContainerWriter::mostRecordBytes)
    fail(ErrorKind::usage, m_file.sink().name(), ": '", m_name, "' has more columns than a ROOT ",
         "file can describe");
  return {plain.size(), {m_file.writeBlob(stored), stored.size()}};
}

void DescriptorWriter::writeHeader(const FieldPlan& plan) {
  EnvelopeWriter header(EnvelopeType::header);
  header.put(std::uint64_t{0}); // no features that readers must know
  header.putString(nameInFolder(m_name));
  header.putString(""); // no description
  header.putString("kaon");
  header.list(plan.fields, [&](const NTupleField& field) { putField(header, field); });
  header.list(plan.columns, [&](const StoredColumn& column) { putColumn(header, column); });
  header.emptyList(); // aliases of columns
  header.emptyList(); // descriptions of classes
  m_header = write(header);
  m_headerChecksum = header.checksum();
  m_elements.resize(plan.columns.size());
}

void DescriptorWriter::addCluster(std::uint64_t entries,
                                  const std::vector<std::span<const EncodedPage>>& columns) {
  Cluster& cluster = m_clusters.emplace_back();
  cluster.entries = entries;
  cluster.elementsBefore = m_elements;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    cluster.columns.emplace_back(columns[column].begin(), columns[column].end());
    for (const EncodedPage& page : columns[column])
      m_elements[column] += page.elements;
    m_pages += 1 + columns[column].size();
  }
  if (m_pages > mostListed)
    writePageList();
}

void DescriptorWriter::writePageList() {
  if (m_clusters.empty())
    return;
  EnvelopeWriter list(EnvelopeType::pageList);
  list.put(m_headerChecksum);
  std::uint64_t entry = m_firstEntry;
  list.list(m_clusters, [&](const Cluster& cluster) {
    list.record([&] {
      list.put(entry);
      list.put(cluster.entries); // smaller than the bits of the flags
    });
    entry += cluster.entries;
  });
  const auto putPage = [&](const EncodedPage& page) {
    // Negative, because a checksum follows the page.
    list.put(-static_cast<std::int32_t>(page.elements));
    list.putLocator({page.position, page.bytes});
  };
  list.list(m_clusters, [&](const Cluster& cluster) {
    list.list([&] {
      for (std::size_t column = 0; column < cluster.columns.size(); ++column)
        list.list([&] {
          for (const EncodedPage& page : cluster.columns[column])
            putPage(page);
          list.put(static_cast<std::int64_t>(cluster.elementsBefore[column]));
          list.put(compressionSetting(m_codec));
          return cluster.columns[column].size();
        });
      return cluster.columns.size();
    });
  });
  const auto clusters = static_cast<std::uint32_t>(m_clusters.size());
  m_groups.push_back({m_firstEntry, entry - m_firstEntry, clusters, write(list)});
  m_firstEntry = entry;
  m_clusters.clear();
  m_pages = 0;
}

EnvelopeLink DescriptorWriter::writeFooter() {
  EnvelopeWriter footer(EnvelopeType::footer);
  footer.put(std::uint64_t{0}); // no features that readers must know
  footer.put(m_headerChecksum);
  footer.record([&] { // adds nothing to the fields of the header
    for (int list = 0; list < 4; ++list)
      footer.emptyList();
  });
  footer.list(m_groups, [&](const Group& group) {
    footer.record([&] {
      footer.put(group.firstEntry);
      footer.put(group.entries);
      footer.put(group.clusters);
      footer.putLink(group.pageList);
    });
  });
  footer.emptyList(); // sets of attributes
  return write(footer);
}

void DescriptorWriter::writeAnchor(const EnvelopeLink& footer) {
  constexpr std::uint32_t countedBytes = 66;
  BigEndianWriter anchor;
  anchor.put(hasByteCount | countedBytes);
  anchor.put(std::uint16_t{2}); // the version of the class
  const std::size_t begin = anchor.size();
  constexpr std::array<std::uint16_t, 4> version{1, 0, 1, 0}; // of the format
  for (const std::uint16_t part : version)
    anchor.put(part);
  putLink(anchor, m_header);
  putLink(anchor, footer);
  anchor.put(std::uint64_t{ContainerWriter::mostRecordBytes});
  anchor.put(checksum(anchor.bytes().subspan(begin)));
  m_file.writeObject("ROOT::RNTuple", m_name, "", anchor.bytes());
}

void DescriptorWriter::finish() {
  writePageList();
  writeAnchor(writeFooter());
}

} // namespace kaon::root
