#include <kaon/formats/kaonfile/Verify.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/base/Tasks.h>
#include <kaon/formats/kaonfile/CategorySource.h>
#include <kaon/formats/kaonfile/ClusterCheck.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/RelationTargets.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/formats/kaonfile/SortedKeysCheck.h>
#include <kaon/formats/kaonfile/SortedKeysName.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Returns the text of an error without the parts that all errors share.
std::string plain(std::string what, const std::string& file) {
  if (what.starts_with(file + ": "))
    what.erase(0, file.size() + 2);
  static constexpr std::string_view end = "; the file is damaged";
  if (what.ends_with(end))
    what.erase(what.size() - end.size());
  return what;
}

bool isCluster(const RecordHeader& header) {
  return header.kind == RecordKind::cluster || header.kind == RecordKind::tags;
}

bool isSame(const IndexDocument& a, const IndexDocument& b) {
  return a.position == b.position && a.metaSize == b.metaSize && a.metaChecksum == b.metaChecksum;
}

bool isSame(const IndexOther& a, const IndexOther& b) {
  return a.kind == b.kind && a.category == b.category && a.position == b.position &&
         a.metaSize == b.metaSize;
}

bool haveSameTables(const Schema& a, const Schema& b) {
  return std::ranges::equal(a.tables(), b.tables());
}

class FileCheck {
public:
  FileCheck(const io::ByteSource& bytes, const Progress& progress)
      : m_bytes(bytes), m_progress(progress) {}

  Verification run();

private:
  void readHeader();
  std::string readIndex();
  void walk();
  void checkRecord(const RecordHeader& header, std::uint64_t position);
  void takeRecord(const RecordHeader& header, std::uint64_t position,
                  std::span<const std::byte> meta);
  void checkZeros(std::uint64_t first, std::uint64_t last);
  void checkListed(const RecordHeader& header, std::uint64_t position);
  void compareWithIndex();
  void checkClusters(const CategoryContents& category, std::uint32_t categoryNumber,
                     ProgressCount& count);
  void checkClusterRecord(const IndexCluster& index, RecordKind kind, std::uint32_t category) const;
  void checkKeys(const CategoryContents& category, std::size_t number, const ClusterMeta& cluster,
                 const ClusterCheck& check, Verification& result) const;
  void checkTags(const CategoryContents& category, const ClusterMeta& tags,
                 const ClusterCheck& check, Verification& result) const;
  void checkSortedKeys(const FileContents& contents, const CategoryContents& sorted);
  void report(std::uint64_t position, std::string what) {
    m_found.findings.push_back({"", "", {0, 0}, position, std::move(what)});
  }

  const io::ByteSource& m_bytes;
  const Progress& m_progress;
  std::optional<FileContents> m_index; // of a complete file with a sound index
  FileContents m_walked;               // contents by the records
  std::optional<RelationTargets> m_targets;
  bool m_isHeaderSound = false;
  bool m_isWhole = true; // no record was lost
  Verification m_found;
};

Verification FileCheck::run() {
  readHeader();
  const std::string indexMistake = readIndex();
  walk();
  // A damaged record has already been reported.
  if (!indexMistake.empty() && m_isWhole && m_isHeaderSound)
    report(m_bytes.size(), indexMistake);
  if (m_index)
    compareWithIndex();
  const FileContents& contents = m_index ? *m_index : m_walked;
  std::uint64_t clusters = 0;
  for (const CategoryContents& category : contents.categories)
    clusters += category.clusters.size() + category.tags.size();
  m_targets.emplace(m_bytes, contents);
  ProgressCount count(m_progress, clusters);
  for (std::uint32_t number = 0; number < contents.categories.size(); ++number)
    checkClusters(contents.categories[number], number, count);
  for (const CategoryContents& category : contents.categories)
    if (isOfSortedKeys(category.name))
      checkSortedKeys(contents, category);
  std::ranges::sort(m_found.findings, {}, [](const Finding& finding) {
    return std::tie(finding.position, finding.column, finding.what);
  });
  return std::move(m_found);
}

/// Reads the file's identity from its header, or from the first record if the header is damaged.
void FileCheck::readHeader() {
  Buffer scratch;
  const std::uint64_t first = aligned(sizeof(FileHeader));
  const auto head =
      m_bytes.view(0, std::min(m_bytes.size(), first + sizeof(RecordHeader)), scratch);
  if (head.size() >= sizeof(FileHeader)) {
    const auto header = detail::loadAs<FileHeader>(head.data());
    m_walked.file = {header.fileId, header.flags};
    m_isHeaderSound =
        header.checksum == checksum(bytesBefore(header, offsetof(FileHeader, checksum)));
  }
  if (m_isHeaderSound)
    return;
  report(0, "the file's first bytes are damaged");
  if (head.size() < first + sizeof(RecordHeader))
    return;
  const auto record = detail::loadAs<RecordHeader>(head.data() + first);
  m_walked.file = {record.fileId, record.entries};
}

/// Reads the index, and returns its mistake.
std::string FileCheck::readIndex() {
  try {
    FileContents contents = readContents(m_bytes);
    const std::string mistake = contents.indexMistake;
    if (contents.warning.empty())
      m_index = std::move(contents);
    return plain(mistake, m_bytes.name());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    return plain(error.what(), m_bytes.name());
  }
}

/// Checks the records one after another, and searches the next one after damage.
void FileCheck::walk() {
  const std::uint64_t size = m_bytes.size();
  std::uint64_t position = std::min(aligned(sizeof(FileHeader)), size);
  m_found.bytes = position;
  checkZeros(std::min<std::uint64_t>(sizeof(FileHeader), size), position);
  RecordKind last = RecordKind::schema;
  while (position < size) {
    if (const auto header = recordAt(m_bytes, m_walked.file.id, position)) {
      checkRecord(*header, position);
      last = header->kind;
      position = std::min(behind(position, *header), size);
      continue;
    }
    const std::uint64_t next = nextRecord(m_bytes, m_walked.file.id, position);
    m_isWhole = false;
    report(position,
           "bytes " + std::to_string(position) + " to " + std::to_string(next) +
               (next == size ? " are not a whole record" : " are not a record; they are skipped"));
    position = next;
  }
  if (last == RecordKind::end)
    return;
  m_found.isComplete = false;
  report(size, "the file does not end as a kaon file does: it was not finished, or is cut");
}

void FileCheck::checkRecord(const RecordHeader& header, std::uint64_t position) {
  ++m_found.records;
  const std::uint64_t metaEnd = position + sizeof header + header.metaSize;
  const std::uint64_t pages = std::min(aligned(metaEnd), m_bytes.size());
  const std::uint64_t end = std::min(behind(position, header), m_bytes.size());
  checkZeros(metaEnd, pages);
  checkZeros(pages + header.pagesSize, end);
  m_found.bytes += end - position - header.pagesSize;
  try {
    RecordHeader again;
    Buffer scratch;
    const ExpectedRecord place{m_bytes.name(), m_walked.file.id, header.kind, position};
    takeRecord(header, position, readRecord(m_bytes, place, header.metaSize, again, scratch));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    m_isWhole = false;
    report(position, plain(error.what(), m_bytes.name()));
  }
}

void FileCheck::takeRecord(const RecordHeader& header, std::uint64_t position,
                           std::span<const std::byte> meta) {
  if (isCluster(header) && m_index)
    return checkListed(header, position);
  auto& categories = m_walked.categories;
  if (header.kind == RecordKind::cluster && header.category < categories.size() &&
      header.firstEntry > categories[header.category].entries) {
    CategoryContents& category = categories[header.category];
    m_found.findings.push_back({category.name,
                                "",
                                {category.entries, header.firstEntry},
                                position,
                                "the entries before it are missing"});
    category.entries = header.firstEntry;
  }
  if (!addRecord(m_walked, header, position, meta, m_bytes)) {
    m_isWhole = false;
    report(position, "a record does not follow from those before it");
  }
}

void FileCheck::checkZeros(std::uint64_t first, std::uint64_t last) {
  if (first >= last)
    return;
  Buffer scratch;
  const auto bytes = m_bytes.view(first, last - first, scratch);
  if (std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{0}; }))
    report(first, "bytes between records are not zero");
}

/// Checks that the index has this cluster.
void FileCheck::checkListed(const RecordHeader& header, std::uint64_t position) {
  bool isKnown = false;
  if (header.category < m_index->categories.size()) {
    const CategoryContents& category = m_index->categories[header.category];
    if (header.kind == RecordKind::cluster && isOfSortedKeys(category.name))
      return; // Keys may have been sorted again; clusters in the index are checked from there.
    const auto& all = header.kind == RecordKind::tags ? category.tags : category.clusters;
    const auto place =
        std::ranges::lower_bound(all, header.firstEntry, {}, &IndexCluster::firstEntry);
    isKnown = place != all.end() && place->position == position &&
              place->firstEntry == header.firstEntry && place->entries == header.entries &&
              place->metaSize == header.metaSize && place->pagesSize == header.pagesSize;
  }
  if (!isKnown)
    report(position, "the index lacks the cluster, or describes it differently");
}

/// Checks that index and records agree on tables and documents. Missing clusters are found when
/// they are opened.
void FileCheck::compareWithIndex() {
  if (!m_isWhole)
    return;
  const auto& walked = m_walked.categories;
  const auto& indexed = m_index->categories;
  if (!std::ranges::equal(walked, indexed, {}, &CategoryContents::name, &CategoryContents::name))
    return report(m_bytes.size(), "the index has other categories than the records");
  for (std::size_t i = 0; i < indexed.size(); ++i)
    if (!haveSameTables(walked[i].schema, indexed[i].schema))
      m_found.findings.push_back({indexed[i].name,
                                  "",
                                  {0, 0},
                                  m_bytes.size(),
                                  "the index has other tables than the records"});
  if (!std::ranges::equal(m_walked.documents, m_index->documents, [](const auto& a, const auto& b) {
        return a.first == b.first && isSame(a.second, b.second);
      }))
    report(m_bytes.size(), "the index has other documents than the records");
  if (!std::ranges::equal(m_walked.others, m_index->others,
                          [](const auto& a, const auto& b) { return isSame(a, b); }))
    report(m_bytes.size(), "the index has other additional records than the file");
}

/// Checks the clusters of a category and the copies of its tags, in parallel.
void FileCheck::checkClusters(const CategoryContents& category, std::uint32_t categoryNumber,
                              ProgressCount& count) {
  const std::size_t clusters = category.clusters.size();
  std::vector<Verification> results(clusters + category.tags.size());
  forEach(results.size(), [&](std::size_t number) {
    const bool isTags = number >= clusters;
    const IndexCluster& index =
        isTags ? category.tags[number - clusters] : category.clusters[number];
    try {
      checkClusterRecord(index, isTags ? RecordKind::tags : RecordKind::cluster, categoryNumber);
      ClusterMeta cluster(m_bytes, m_walked.file, category);
      cluster.open(index, isTags ? RecordKind::tags : RecordKind::cluster);
      ClusterCheck check(m_bytes, category, cluster, *m_targets, results[number]);
      check.check();
      if (isTags)
        checkTags(category, cluster, check, results[number]);
      else
        checkKeys(category, number, cluster, check, results[number]);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::corrupt)
        throw;
      results[number].findings.push_back({category.name,
                                          "",
                                          {index.firstEntry, index.firstEntry + index.entries},
                                          index.position,
                                          plain(error.what(), m_bytes.name())});
    }
    count.add(1);
  });
  for (Verification& one : results) {
    m_found.pages += one.pages;
    m_found.bytes += one.bytes;
    std::ranges::move(one.findings, std::back_inserter(m_found.findings));
  }
}

/// Checks that a cluster's record is sound and agrees with the index. Throws Error(corrupt).
void FileCheck::checkClusterRecord(const IndexCluster& index, RecordKind kind,
                                   std::uint32_t category) const {
  RecordHeader header;
  Buffer scratch;
  const auto meta = readRecord(m_bytes, {m_bytes.name(), m_walked.file.id, kind, index.position},
                               index.metaSize, header, scratch);
  auto mistake = ClusterIdentity{m_walked.file, kind, category, index}.mistakeIn(header);
  if (mistake.empty() && (index.entries == 0 || blocksIn(meta) != index.blocks))
    mistake = "it has other columns than the index says";
  if (!mistake.empty())
    fail(ErrorKind::corrupt, m_bytes.name(), ": cluster at byte ", index.position, ": ", mistake,
         "; the file is damaged");
}

/// Checks the bounds of a cluster's keys in the index.
void FileCheck::checkKeys(const CategoryContents& category, std::size_t number,
                          const ClusterMeta& cluster, const ClusterCheck& check,
                          Verification& result) const {
  if (category.keyBounds.empty())
    return;
  const auto keys = category.keyTables();
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const auto bounds = check.keyBounds(keys[key]);
    const Bounds& stored = category.keyBounds[number * keys.size() + key];
    if (!bounds ||
        (bounds->bounds.least == stored.least && bounds->bounds.greatest == stored.greatest))
      continue;
    const IndexCluster& header = cluster.index();
    result.findings.push_back({category.name,
                               std::string(category.schema.table(keys[key]).name),
                               {header.firstEntry, header.firstEntry + header.entries},
                               cluster.index().position,
                               "the index has other bounds of the key than the cluster"});
  }
}

/// Checks that tags equal those in their clusters.
void FileCheck::checkTags(const CategoryContents& category, const ClusterMeta& tags,
                          const ClusterCheck& check, Verification& result) const {
  const IndexCluster& header = tags.index();
  const std::uint64_t end = header.firstEntry + header.entries;
  for (TableNumber table = 0; table < category.schema.size(); ++table) {
    const Table info = category.schema.table(table);
    if (!has(info.use, TableUse::tag))
      continue;
    const auto all = check.values(table);
    const std::size_t size = info.members[0].size();
    auto next = std::ranges::lower_bound(category.clusters, header.firstEntry, {},
                                         &IndexCluster::firstEntry);
    for (; all && next != category.clusters.end() && next->firstEntry < end; ++next) {
      const IndexCluster& index = *next;
      if (index.entries > end - index.firstEntry)
        break;
      ClusterMeta cluster(m_bytes, m_walked.file, category);
      cluster.open(index, RecordKind::cluster);
      Verification ignored;
      const auto own = ClusterCheck(m_bytes, category, cluster, *m_targets, ignored).values(table);
      const auto copied = all->bytes().subspan(
          static_cast<std::size_t>(index.firstEntry - header.firstEntry) * size,
          std::size_t{index.entries} * size);
      if (own && !std::ranges::equal(own->bytes(), copied))
        result.findings.push_back({category.name,
                                   std::string(info.name),
                                   {index.firstEntry, index.firstEntry + index.entries},
                                   tags.index().position,
                                   "a tag is stored with other values than in its cluster"});
    }
  }
}

/// Returns whether each entry of a category is in a cluster.
bool hasAllEntries(const CategoryContents& category) {
  std::uint64_t entries = 0;
  for (const IndexCluster& cluster : category.clusters)
    entries += cluster.entries;
  return entries == category.entries;
}

/// Checks that usable sorted keys match the entries. Unreadable data have already been reported.
void FileCheck::checkSortedKeys(const FileContents& contents, const CategoryContents& sorted) {
  const auto owner =
      std::ranges::find(contents.categories, ownerOfKeys(sorted.name), &CategoryContents::name);
  if (owner == contents.categories.end() || !isWhole(sorted, *owner) || !hasAllEntries(sorted) ||
      !hasAllEntries(*owner))
    return;
  std::string mistake;
  try {
    mistake = mistakeIn(CategorySource(m_bytes, contents.file, sorted, {}),
                        CategorySource(m_bytes, contents.file, *owner, {}));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::io)
      throw;
    if (error.kind() != ErrorKind::corrupt)
      mistake = plain(error.what(), m_bytes.name());
  }
  if (!mistake.empty())
    m_found.findings.push_back({sorted.name,
                                "",
                                {0, sorted.entries},
                                sorted.clusters.empty() ? 0 : sorted.clusters.front().position,
                                "sorted keys: " + mistake});
}

} // namespace

Verification verify(const io::ByteSource& bytes, const Progress& progress) {
  return FileCheck(bytes, progress).run();
}

} // namespace kaon::kaonfile
