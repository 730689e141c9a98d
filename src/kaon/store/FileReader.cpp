#include <kaon/store/FileReader.h>

#include <kaon/base/Hash.h>
#include <kaon/base/Suggestion.h>
#include <kaon/codec/Codec.h>
#include <kaon/store/Cluster.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace kaon::store {
namespace {

/// A cluster whose meta bytes are read when they are first needed.
struct LazyCluster {
  LazyCluster(std::uint64_t at, std::uint64_t first, std::uint32_t count)
      : position(at), firstEntry(first), entries(count) {}
  std::uint64_t position;
  std::uint64_t firstEntry;
  std::uint32_t entries;
  std::mutex loading; // not a once_flag: that and exceptions do not go well with ThreadSanitizer
  std::unique_ptr<const Cluster> owned;
  std::atomic<const Cluster*> loaded = nullptr;
};

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
  CategorySource(const io::ByteSource& bytes, std::uint64_t fileId, ByteReader& index);

  [[nodiscard]] const std::string& categoryName() const noexcept { return m_categoryName; }
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_entries; }
  [[nodiscard]] PageRange pages(std::uint32_t rootTable, std::uint64_t entry) const override;
  void read(std::uint32_t column, const PageRange& range, Page& page) const override;
  [[nodiscard]] ColumnUsage usage(std::uint32_t column) const override;

private:
  [[nodiscard]] const Cluster& cluster(std::size_t number) const;
  [[nodiscard]] const ClusterGroup* groupOf(const Cluster& cluster, std::uint32_t column) const;
  void readMissing(const Column& column, const PageRange& range, Page& page) const;
  void decode(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
              Page& page) const;
  [[noreturn]] void failPage(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                             const char* what) const;

  const io::ByteSource* m_bytes;
  std::uint64_t m_fileId;
  std::string m_categoryName;
  std::string m_name;
  Schema m_schema;
  std::uint64_t m_entries = 0;
  std::vector<std::unique_ptr<LazyCluster>> m_clusters;
};

CategorySource::CategorySource(const io::ByteSource& bytes, std::uint64_t fileId, ByteReader& index)
    : m_bytes(&bytes), m_fileId(fileId), m_categoryName(index.getString()),
      m_name(bytes.name() + ":" + m_categoryName) {
  const auto tables = index.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < tables; ++i) {
    Table table = readTable(index);
    if (const std::string wrong = m_schema.check(table); !wrong.empty())
      fail(ErrorKind::corrupt, m_name, ": ", wrong, "; the file is damaged");
    m_schema.add(std::move(table));
  }
  constexpr std::size_t leastCluster = 20;
  const std::uint32_t clusters = index.getCount(leastCluster);
  for (std::uint32_t i = 0; i < clusters; ++i) {
    const auto position = index.get<std::uint64_t>();
    const auto firstEntry = index.get<std::uint64_t>();
    const auto entries = index.get<std::uint32_t>();
    if (firstEntry != m_entries || entries == 0 || position % alignment != 0)
      fail(ErrorKind::corrupt, m_name, ": its clusters are out of order; the file is damaged");
    m_clusters.push_back(std::make_unique<LazyCluster>(position, firstEntry, entries));
    m_entries += entries;
  }
}

PageRange CategorySource::pages(std::uint32_t rootTable, std::uint64_t entry) const {
  const auto after =
      std::ranges::upper_bound(m_clusters, entry, {}, [](const auto& c) { return c->firstEntry; });
  const auto number = static_cast<std::size_t>(after - m_clusters.begin()) - 1;
  const std::uint64_t first = m_clusters[number]->firstEntry;
  const Cluster& holder = cluster(number);
  const ClusterGroup* const group = holder.group(rootTable);
  if (!group) { // no more of these entries at once than a page would hold
    const std::uint64_t row = std::max<std::uint64_t>(m_schema.table(rootTable).rowSize, 4);
    const std::uint64_t most = std::max<std::uint64_t>(64 * 1024 / row, 1);
    const std::uint64_t begin = entry - (entry - first) % most;
    return {begin, std::min(begin + most, first + holder.header().entries), number, 0};
  }
  const auto ends = holder.boundaries(*group);
  const auto end = std::ranges::upper_bound(ends, entry - first);
  const auto page = static_cast<std::uint32_t>(end - ends.begin());
  return {first + (page > 0 ? ends[page - 1] : 0), first + *end, number, page};
}

void CategorySource::read(std::uint32_t column, const PageRange& range, Page& page) const {
  const Cluster& holder = cluster(static_cast<std::size_t>(range.cluster));
  const ClusterGroup* const group = groupOf(holder, column);
  if (!group)
    return readMissing(m_schema.columns()[column], range, page);
  const auto pages = holder.pages(*group, column);
  if (range.page >= pages.size())
    fail(ErrorKind::corrupt, m_name, ": the cluster of entry ", range.firstEntry,
         " lacks a column of '", m_schema.table(m_schema.columns()[column].table).name,
         "'; the file is damaged");
  decode(holder, pages[range.page], column, page);
}

ColumnUsage CategorySource::usage(std::uint32_t column) const {
  ColumnUsage usage;
  std::map<std::string, std::uint64_t> bytesBy;
  for (std::size_t number = 0; number < m_clusters.size(); ++number) {
    const Cluster& holder = cluster(number);
    const ClusterGroup* const group = groupOf(holder, column);
    if (!group)
      continue;
    for (const PageEntry& page : holder.pages(*group, column)) {
      usage.values += page.values;
      usage.storedBytes += page.size;
      bytesBy[howStored(page)] += page.size;
    }
  }
  usage.decodedBytes = usage.values * m_schema.columns()[column].elementSize;
  for (const auto& [name, bytes] : bytesBy)
    usage.codecs.push_back(name);
  std::ranges::sort(usage.codecs, std::ranges::greater{},
                    [&](const std::string& name) { return bytesBy[name]; });
  return usage;
}

const Cluster& CategorySource::cluster(std::size_t number) const {
  LazyCluster& lazy = *m_clusters[number];
  if (const Cluster* const loaded = lazy.loaded.load(std::memory_order_acquire))
    return *loaded;
  const std::lock_guard lock(lazy.loading);
  if (!lazy.owned) {
    auto loaded = std::make_unique<const Cluster>(*m_bytes, lazy.position, m_fileId);
    if (loaded->header().firstEntry != lazy.firstEntry || loaded->header().entries != lazy.entries)
      fail(ErrorKind::corrupt, m_name, ": the cluster at byte ", lazy.position,
           " has other entries than the index says; the file is damaged");
    lazy.loaded.store(loaded.get(), std::memory_order_release);
    lazy.owned = std::move(loaded);
  }
  return *lazy.owned;
}

const ClusterGroup* CategorySource::groupOf(const Cluster& cluster, std::uint32_t column) const {
  return cluster.group(m_schema.rootOf(m_schema.columns()[column].table));
}

/// A table that first appears in a later cluster is absent in this one, and its rows are zero.
void CategorySource::readMissing(const Column& column, const PageRange& range, Page& page) const {
  const Table& table = m_schema.table(column.table);
  const bool perEntry =
      table.isRoot() && (column.role == ColumnRole::presence || column.role == ColumnRole::counts ||
                         table.kind == TableKind::value);
  page.values = perEntry ? static_cast<std::size_t>(range.lastEntry - range.firstEntry) : 0;
  if (!isPlausible(0, page.values * column.elementSize))
    fail(ErrorKind::corrupt, m_name, ": the rows of '", table.name, "' are of ", column.elementSize,
         " bytes; the file is damaged");
  const auto zeros = page.storage.assign(page.values * column.elementSize);
  std::ranges::fill(zeros, std::byte{0});
  page.data = zeros.data();
}

void CategorySource::decode(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                            Page& page) const {
  const std::size_t elementSize = m_schema.columns()[column].elementSize;
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
  page.values = static_cast<std::size_t>(entry.values);
  const std::size_t size = page.values * elementSize;
  if (entry.encoding == Encoding::raw && stored.size() == size && stored.data() != scratch.data() &&
      reinterpret_cast<std::uintptr_t>(stored.data()) % alignof(std::max_align_t) == 0) {
    page.data = stored.data();
    return;
  }
  const auto out = page.storage.assign(size);
  page.data = out.data();
  const Column& info = m_schema.columns()[column];
  if (!codec::decode(entry.encoding, elementOf(m_schema, info), stored, out))
    failPage(cluster, entry, column, "does not decode");
}

void CategorySource::failPage(const Cluster& cluster, const PageEntry& entry, std::uint32_t column,
                              const char* what) const {
  const Column& info = m_schema.columns()[column];
  const std::string member = info.role == ColumnRole::member
                                 ? m_schema.nameOfMember(info.table, info.member)
                                 : m_schema.table(info.table).name;
  fail(ErrorKind::corrupt, m_name, ": the page of '", member, "' at byte ", cluster.position(entry),
       ", in the cluster of entries ", cluster.header().firstEntry, " to ",
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

private:
  [[nodiscard]] std::uint64_t readHeader() const;
  [[nodiscard]] std::uint64_t readTrailer(std::uint64_t fileId) const;

  std::unique_ptr<io::ByteSource> m_bytes;
  std::vector<std::unique_ptr<CategorySource>> m_categories;
  std::map<std::string, std::string, std::less<>> m_documents;
};

StoredFile::StoredFile(std::unique_ptr<io::ByteSource> bytes) : m_bytes(std::move(bytes)) {
  const std::uint64_t fileId = readHeader();
  const std::uint64_t position = readTrailer(fileId);
  Buffer scratch;
  std::span<const std::byte> meta;
  readRecord(*m_bytes, position, fileId, RecordKind::index, meta, scratch);
  ByteReader index(meta, m_bytes->name() + ": index");
  const auto categories = index.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < categories; ++i)
    m_categories.push_back(std::make_unique<CategorySource>(*m_bytes, fileId, index));
  const auto documents = index.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < documents; ++i) {
    std::string name = index.getString();
    m_documents.insert_or_assign(std::move(name), index.getString());
  }
}

std::uint64_t StoredFile::readHeader() const {
  Buffer scratch;
  if (m_bytes->size() == 0)
    fail(ErrorKind::version, name(), ": is empty");
  FileHeader header;
  const auto least = std::min<std::uint64_t>(m_bytes->size(), header.magic.size());
  const auto magic = m_bytes->view(0, least, scratch);
  if (std::memcmp(magic.data(), header.magic.data(), static_cast<std::size_t>(least)) != 0)
    fail(ErrorKind::version, name(), ": is not a kaon file");
  header = loadAs<FileHeader>(m_bytes->view(0, sizeof(FileHeader), scratch).data());
  if (header.checksum != checksum(bytesBefore(header, offsetof(FileHeader, checksum))))
    fail(ErrorKind::corrupt, name(), ": its first bytes are damaged");
  if (header.version != formatVersion || header.flags != 0)
    fail(ErrorKind::version, name(), ": is of format version ", header.version, " with flags ",
         header.flags, "; this kaon reads version ", formatVersion,
         ": use the kaon that wrote it, or a newer one");
  return header.fileId;
}

/// Returns where the index is.
std::uint64_t StoredFile::readTrailer(std::uint64_t fileId) const {
  Buffer scratch;
  FileTrailer trailer;
  const std::uint64_t size = m_bytes->size();
  if (size >= sizeof(FileHeader) + sizeof(FileTrailer))
    trailer = loadAs<FileTrailer>(
        m_bytes->view(size - sizeof(FileTrailer), sizeof(FileTrailer), scratch).data());
  if (trailer.magic != endMagic || trailer.fileId != fileId ||
      trailer.checksum != checksum(bytesBefore(trailer, offsetof(FileTrailer, checksum))))
    fail(ErrorKind::corrupt, name(), ": does not end as a kaon file does: it is cut or damaged, ",
         "or its writer did not finish it");
  return trailer.indexPosition;
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
  for (const auto& [name, text] : m_documents)
    names.push_back(name);
  return names;
}

std::string StoredFile::document(std::string_view name) const {
  const auto found = m_documents.find(name);
  if (found == m_documents.end())
    fail(ErrorKind::name, this->name(), ": carries no '", name, "'", suggestion(name, documents()));
  return found->second;
}

} // namespace

std::unique_ptr<File> openFile(std::unique_ptr<io::ByteSource> bytes) {
  return std::make_unique<StoredFile>(std::move(bytes));
}

} // namespace kaon::store
