#include <kaon/store/FileReader.h>

#include <kaon/base/Hash.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Warning.h>
#include <kaon/codec/Codec.h>
#include <kaon/store/Cluster.h>
#include <kaon/store/Contents.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>

namespace kaon::store {
namespace {

/// A cluster whose meta bytes are read when they are first needed.
struct LazyCluster {
  std::mutex loading; // not a once_flag: that and exceptions do not go well with ThreadSanitizer
  std::unique_ptr<const Cluster> owned;
  std::atomic<const Cluster*> loaded = nullptr;
};

Extremes extremesOf(const PageBounds& found) {
  return {found.bounds.least, found.bounds.greatest, has(found.flags, PageFlags::unbounded),
          has(found.flags, PageFlags::hasNaN)};
}

/// Puts ranges in order and makes one of those that follow each other, but for what aligns them.
void joinNeighbours(std::vector<io::ByteRange>& ranges) {
  std::ranges::sort(ranges, {}, &io::ByteRange::offset);
  std::size_t joined = 0;
  for (const io::ByteRange& range : ranges) {
    if (joined > 0) {
      io::ByteRange& last = ranges[joined - 1];
      const std::uint64_t end = last.offset + last.count;
      if (range.offset <= end || range.offset - end < alignment) {
        last.count = std::max(end, range.offset + range.count) - last.offset;
        continue;
      }
    }
    ranges[joined++] = range;
  }
  ranges.resize(joined);
}

/// "packed", "bytePlanes+zstd", for people.
std::string howStored(const PageEntry& page) {
  if (page.encoding == Encoding::compressed)
    return std::string(codecName(static_cast<Codec>(page.codec)));
  std::string name(codec::encodingName(page.encoding));
  if (page.codec != 0)
    name.append("+").append(codecName(static_cast<Codec>(page.codec)));
  return name;
}

class CategorySource final : public Source {
public:
  CategorySource(const io::ByteSource& bytes, std::uint64_t fileId, std::uint32_t number,
                 CategoryContents contents);

  [[nodiscard]] const std::string& categoryName() const noexcept { return m_contents.name; }
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_contents.schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_contents.entries; }
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] PageRange pages(std::uint32_t group, std::uint64_t entry) const override;
  void read(std::uint32_t column, const PageRange& range, std::size_t values,
            Page& page) const override;
  void prefetch(std::span<const std::uint32_t> columns, std::uint64_t entry) const override;
  [[nodiscard]] std::optional<Extremes> extremes(std::uint32_t column,
                                                 const PageRange& range) const override;
  [[nodiscard]] std::optional<Extremes> clusterExtremes(std::uint32_t column,
                                                        std::size_t cluster) const override;
  [[nodiscard]] ColumnUsage usage(std::uint32_t column) const override;

private:
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const noexcept;
  [[nodiscard]] std::size_t holderOf(std::uint32_t group, std::uint64_t entry) const noexcept;
  [[nodiscard]] const Cluster& cluster(std::size_t number) const;
  [[nodiscard]] std::uint32_t groupOf(std::uint32_t column) const noexcept {
    return schema().groupOf(schema().columns()[column].table);
  }
  [[nodiscard]] bool lacksTable(const Cluster& cluster, const ClusterGroup& group,
                                std::uint32_t table) const;
  void readMissing(const Column& column, bool isThere, std::size_t values, Page& page) const;
  void decode(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
              Page& page) const;
  void decodeOffsets(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                     std::span<const std::byte> stored, Page& page) const;
  [[noreturn]] void failPage(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                             const char* what) const;
  [[nodiscard]] std::string nameOf(std::uint32_t column) const;

  const io::ByteSource* m_bytes;
  std::uint64_t m_fileId;
  std::uint32_t m_number; // of the category in the file
  std::string m_name;
  CategoryContents m_contents;
  std::unique_ptr<LazyCluster[]> m_loaded; // the clusters, then those of the tags
};

CategorySource::CategorySource(const io::ByteSource& bytes, std::uint64_t fileId,
                               std::uint32_t number, CategoryContents contents)
    : m_bytes(&bytes), m_fileId(fileId), m_number(number),
      m_name(bytes.name() + ":" + contents.name), m_contents(std::move(contents)),
      m_loaded(new LazyCluster[m_contents.clusters.size() + m_contents.tags.size()]) {}

std::vector<EntryRange> CategorySource::clusters() const {
  std::vector<EntryRange> ranges;
  ranges.reserve(m_contents.clusters.size());
  for (const IndexCluster& cluster : m_contents.clusters)
    ranges.push_back({cluster.firstEntry, cluster.firstEntry + cluster.entries});
  return ranges;
}

std::size_t CategorySource::clusterOf(std::uint64_t entry) const noexcept {
  const auto after =
      std::ranges::upper_bound(m_contents.clusters, entry, {}, &IndexCluster::firstEntry);
  return static_cast<std::size_t>(after - m_contents.clusters.begin()) - 1;
}

/// The number of the cluster from which the group's pages of an entry are read: of that of the
/// tags, if there is one.
std::size_t CategorySource::holderOf(std::uint32_t group, std::uint64_t entry) const noexcept {
  const auto& tags = m_contents.tags;
  if (!tags.empty() && has(schema().table(group).use, TableUse::tag)) {
    const auto after = std::ranges::upper_bound(tags, entry, {}, &IndexCluster::firstEntry);
    if (after != tags.begin() && entry - (after - 1)->firstEntry < (after - 1)->entries)
      return m_contents.clusters.size() + static_cast<std::size_t>(after - tags.begin()) - 1;
  }
  return clusterOf(entry);
}

PageRange CategorySource::pages(std::uint32_t group, std::uint64_t entry) const {
  const std::size_t number = holderOf(group, entry);
  const Cluster& holder = cluster(number);
  const std::uint64_t first = holder.header().firstEntry;
  const ClusterGroup* const pages = holder.group(group);
  if (!pages) { // as many entries at once as a page of counts would hold
    constexpr std::uint64_t most = 16 * 1024;
    const std::uint64_t begin = entry - (entry - first) % most;
    return {begin, std::min(begin + most, first + holder.header().entries), number, 0};
  }
  const auto ends = holder.boundaries(*pages);
  const auto end = std::ranges::upper_bound(ends, entry - first);
  const auto page = static_cast<std::uint32_t>(end - ends.begin());
  return {first + (page > 0 ? ends[page - 1] : 0), first + *end, number, page};
}

void CategorySource::read(std::uint32_t column, const PageRange& range, std::size_t values,
                          Page& page) const {
  const Cluster& holder = cluster(static_cast<std::size_t>(range.cluster));
  const Column& info = schema().columns()[column];
  const ClusterGroup* const group = holder.group(groupOf(column));
  const auto pages = group ? holder.pages(*group, column) : std::span<const PageEntry>{};
  if (!pages.empty()) {
    if (range.page >= pages.size() || pages[range.page].values != values)
      fail(ErrorKind::corrupt, m_name, ": entries ", range.firstEntry, " to ", range.lastEntry,
           " have ", values, " values of '", nameOf(column), "' but ",
           range.page < pages.size() ? pages[range.page].values : 0,
           " stored; the file is damaged");
    return decode(holder, pages[range.page], column, page);
  }
  if (!group && holder.hasColumn(column))
    fail(ErrorKind::corrupt, m_name, ": the cluster of entry ", range.firstEntry, " has pages of '",
         nameOf(column), "' but no boundaries of them; the file is damaged");
  const bool isThere = group && !lacksTable(holder, *group, info.table);
  if (isThere && info.role != ColumnRole::presence)
    fail(ErrorKind::corrupt, m_name, ": the cluster of entry ", range.firstEntry,
         " lacks the column '", nameOf(column), "'; the file is damaged");
  readMissing(info, isThere, values, page);
}

/// Whether the table is younger than the cluster.
bool CategorySource::lacksTable(const Cluster& cluster, const ClusterGroup& group,
                                std::uint32_t table) const {
  const auto [first, last] = schema().columnsOf(table);
  for (std::uint32_t column = first; column < last; ++column)
    if (!cluster.pages(group, column).empty())
      return false;
  return true;
}

/// What is stored nowhere: presence if the table always is there, and all of a table that came
/// later.
void CategorySource::readMissing(const Column& column, bool isThere, std::size_t values,
                                 Page& page) const {
  page.values = values;
  const auto fill = [&](std::size_t size, std::byte value) {
    const auto out = page.storage.assign(size);
    std::ranges::fill(out, value);
    page.data = out.data();
  };
  switch (column.role) {
  case ColumnRole::presence:
    return fill(values, std::byte{isThere});
  case ColumnRole::counts:
    page.values = values + 1;
    return fill(page.values * sizeof(std::uint32_t), std::byte{0});
  case ColumnRole::rows: // without a row
    return fill(0, std::byte{0});
  case ColumnRole::member:
    break;
  }
  const Member member = schema().table(column.table).members[column.member];
  if (!isPlausible(0, column.elementSize))
    fail(ErrorKind::corrupt, m_name, ": a value of '", member.name, "' is of ", column.elementSize,
         " bytes; the file is damaged");
  fill(column.elementSize, std::byte{0});
  for (std::uint32_t i = 0; i < member.extent; ++i)
    std::memcpy(page.storage.data() + std::size_t{i} * sizeOf(member.type), &member.missing,
                sizeOf(member.type));
  page.isRepeated = true;
}

void CategorySource::prefetch(std::span<const std::uint32_t> columns, std::uint64_t entry) const {
  if (entry >= entries())
    return;
  std::vector<io::ByteRange> ranges;
  for (const std::uint32_t column : columns) {
    const std::size_t number = holderOf(groupOf(column), entry);
    const Cluster& holder = cluster(number);
    if (number >= m_contents.clusters.size() && holder.header().firstEntry != entry)
      continue; // tags of several clusters were asked for with the first of them
    const ClusterGroup* const group = holder.group(groupOf(column));
    if (!group)
      continue;
    for (const PageEntry& page : holder.pages(*group, column))
      ranges.push_back({holder.position(page), page.size});
  }
  joinNeighbours(ranges);
  m_bytes->prefetch(ranges);
}

std::optional<Extremes> CategorySource::extremes(std::uint32_t column,
                                                 const PageRange& range) const {
  const Cluster& holder = cluster(static_cast<std::size_t>(range.cluster));
  const ClusterGroup* const group = holder.group(groupOf(column));
  if (!group)
    return std::nullopt;
  const auto bounds = holder.bounds(*group, column);
  const auto pages = holder.pages(*group, column);
  if (range.page >= bounds.size() || range.page >= pages.size())
    return std::nullopt;
  return extremesOf({bounds[range.page], pages[range.page].flags});
}

std::optional<Extremes> CategorySource::clusterExtremes(std::uint32_t column,
                                                        std::size_t number) const {
  const Column& info = schema().columns()[column];
  if (!m_contents.keyBounds.empty() && has(schema().table(info.table).use, TableUse::key)) {
    const auto keys = m_contents.keyTables();
    const auto key = static_cast<std::size_t>(std::ranges::find(keys, info.table) - keys.begin());
    return extremesOf({m_contents.keyBounds[number * keys.size() + key], PageFlags::none});
  }
  const Cluster& holder = cluster(number);
  const ClusterGroup* const group = holder.group(groupOf(column));
  if (!group || !hasBounds(info))
    return std::nullopt;
  const auto bounds = holder.bounds(*group, column);
  const auto pages = holder.pages(*group, column);
  if (bounds.empty() || pages.empty())
    return std::nullopt;
  PageBounds all;
  for (std::size_t page = 0; page < bounds.size(); ++page)
    all.add({bounds[page], pages[page].flags},
            schema().table(info.table).members[info.member].type);
  return extremesOf(all);
}

ColumnUsage CategorySource::usage(std::uint32_t column) const {
  ColumnUsage usage;
  std::map<std::string, std::uint64_t> bytesBy;
  for (std::size_t number = 0; number < m_contents.clusters.size() + m_contents.tags.size();
       ++number) {
    const Cluster& holder = cluster(number);
    const ClusterGroup* const group = holder.group(groupOf(column));
    if (!group)
      continue;
    for (const PageEntry& page : holder.pages(*group, column)) {
      usage.values += number < m_contents.clusters.size() ? page.values : 0;
      usage.storedBytes += page.size;
      bytesBy[howStored(page)] += page.size;
    }
  }
  usage.decodedBytes = usage.values * schema().columns()[column].elementSize;
  for (const auto& [name, bytes] : bytesBy)
    usage.codecs.push_back(name);
  std::ranges::sort(usage.codecs, std::ranges::greater{},
                    [&](const std::string& name) { return bytesBy[name]; });
  return usage;
}

const Cluster& CategorySource::cluster(std::size_t number) const {
  LazyCluster& lazy = m_loaded[number];
  if (const Cluster* const loaded = lazy.loaded.load(std::memory_order_acquire))
    return *loaded;
  const std::lock_guard lock(lazy.loading);
  if (!lazy.owned) {
    const std::size_t clusters = m_contents.clusters.size();
    const bool isTags = number >= clusters;
    lazy.owned = std::make_unique<const Cluster>(
        *m_bytes, isTags ? m_contents.tags[number - clusters] : m_contents.clusters[number],
        m_fileId, isTags ? RecordKind::tags : RecordKind::cluster, m_number);
    lazy.loaded.store(lazy.owned.get(), std::memory_order_release);
  }
  return *lazy.owned;
}

void CategorySource::decode(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                            Page& page) const {
  const Column& info = schema().columns()[column];
  const std::size_t elementSize = info.elementSize;
  if (entry.values > ~std::uint64_t{0} / elementSize ||
      !isPlausible(entry.size, entry.values * elementSize))
    failPage(cluster, entry, column, "claims to hold more than it can");
  thread_local Buffer scratch;
  const auto stored = m_bytes->view(cluster.position(entry), entry.size, scratch);
  if (!cluster.isVerified(entry)) {
    if (checksum(stored) != entry.checksum)
      failPage(cluster, entry, column, "does not match its checksum");
    cluster.setVerified(entry);
  }
  if (info.role == ColumnRole::counts)
    return decodeOffsets(cluster, entry, column, stored, page);
  page.values = static_cast<std::size_t>(entry.values);
  const std::size_t size = page.values * elementSize;
  if (entry.encoding == Encoding::raw && stored.size() == size && stored.data() != scratch.data() &&
      reinterpret_cast<std::uintptr_t>(stored.data()) % alignof(std::max_align_t) == 0) {
    page.data = stored.data();
    return;
  }
  const auto out = page.storage.assign(size);
  page.data = out.data();
  if (!codec::decode(entry.encoding, elementOf(schema(), info), stored, out))
    failPage(cluster, entry, column, "does not decode");
}

void CategorySource::decodeOffsets(const Cluster& cluster, const PageEntry& entry,
                                   std::uint32_t column, std::span<const std::byte> stored,
                                   Page& page) const {
  page.values = static_cast<std::size_t>(entry.values) + 1;
  const auto out = page.storage.assign(page.values * sizeof(std::uint32_t));
  page.data = out.data();
  const std::span offsets(reinterpret_cast<std::uint32_t*>(out.data()), page.values);
  std::uint64_t total = 0;
  if (codec::decodeCounts(entry.encoding, stored, offsets, total))
    return;
  failPage(cluster, entry, column,
           total > std::numeric_limits<std::uint32_t>::max()
               ? ("has counts that add up to " + std::to_string(total)).c_str()
               : "does not decode");
}

std::string CategorySource::nameOf(std::uint32_t column) const {
  return store::nameOf(schema(), schema().columns()[column]);
}

void CategorySource::failPage(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                              const char* what) const {
  fail(ErrorKind::corrupt, m_name, ": the page of '", nameOf(column), "' at byte ",
       cluster.position(entry), ", in the cluster of entries ", cluster.header().firstEntry, " to ",
       cluster.header().firstEntry + cluster.header().entries, ", ", what, "; the file is damaged");
}

class StoredFile final : public File {
public:
  explicit StoredFile(std::unique_ptr<io::ByteSource> bytes);

  [[nodiscard]] const std::string& name() const noexcept override { return m_bytes->name(); }
  [[nodiscard]] std::vector<std::string> categories() const override;
  [[nodiscard]] const Source& category(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> documents() const override;
  [[nodiscard]] std::string document(std::string_view name) const override;
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_id; }
  [[nodiscard]] bool isComplete() const noexcept override { return m_isComplete; }

private:
  std::unique_ptr<io::ByteSource> m_bytes;
  std::uint64_t m_id = 0;
  bool m_isComplete = true;
  std::vector<std::unique_ptr<CategorySource>> m_categories;
  std::map<std::string, IndexDocument, std::less<>> m_documents;
};

StoredFile::StoredFile(std::unique_ptr<io::ByteSource> bytes) : m_bytes(std::move(bytes)) {
  FileContents contents = readContents(*m_bytes);
  m_id = contents.fileId;
  for (CategoryContents& category : contents.categories)
    m_categories.push_back(std::make_unique<CategorySource>(
        *m_bytes, m_id, static_cast<std::uint32_t>(m_categories.size()), std::move(category)));
  m_documents = std::move(contents.documents);
  m_isComplete = contents.warning.empty();
  if (!m_isComplete)
    warn(WarningKind::incompleteFile, contents.warning);
}

std::vector<std::string> StoredFile::categories() const {
  std::vector<std::string> names;
  for (const auto& category : m_categories)
    names.push_back(category->categoryName());
  return names;
}

const Source& StoredFile::category(std::string_view name) const {
  const auto found = std::ranges::find_if(
      m_categories, [&](const auto& category) { return category->categoryName() == name; });
  if (found == m_categories.end())
    fail(ErrorKind::name, this->name(), ": has no category '", name, "'",
         suggestion(name, categories()));
  return **found;
}

std::vector<std::string> StoredFile::documents() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : m_documents)
    names.push_back(name);
  return names;
}

std::string StoredFile::document(std::string_view name) const {
  const auto found = m_documents.find(name);
  if (found == m_documents.end())
    fail(ErrorKind::name, this->name(), ": carries no '", name, "'", suggestion(name, documents()));
  return readDocument(*m_bytes, m_id, name, found->second);
}

} // namespace

std::unique_ptr<File> openFile(std::unique_ptr<io::ByteSource> bytes) {
  return std::make_unique<StoredFile>(std::move(bytes));
}

} // namespace kaon::store
