#include <kaon/dataset/FriendSource.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/batch/KeyReader.h>
#include <kaon/batch/StridedCopy.h>
#include <kaon/batch/Window.h>
#include <kaon/event/Find.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

namespace kaon {
namespace {

/// The values of a key in all entries, as findEach() takes them.
std::vector<std::int64_t> valuesOfKey(const Source& source, const std::string& name) {
  const auto place = findKey(source.schema(), name);
  if (!place)
    fail(ErrorKind::name, source.name(), ": has no integer '", name,
         "', one an entry, to find the entries of a friend by");
  KeyReader reader(source, {*place});
  std::vector<std::int64_t> values;
  for (std::uint64_t entry = 0; entry < source.entries();) {
    entry = reader.turnTo(entry, source.entries());
    for (const std::uint64_t rank : reader.ranks(0))
      values.push_back(numberOf(place->type, rank));
  }
  return values;
}

/// Tables of a friend, as they are called and grouped beside others.
TableDefinition renamed(const Table& table, const std::string& prefix, std::uint32_t tables) {
  TableDefinition definition = table.definition();
  definition.name = prefix + "." + definition.name;
  if (!table.isRoot())
    definition.parent += tables;
  // Values without a group are one, tags another.
  const bool isTag = has(definition.use, TableUse::tag);
  if (!definition.group.empty())
    definition.group = prefix + "." + definition.group;
  else if (table.kind == TableKind::value)
    definition.group = prefix + (isTag ? "#tags" : "#values");
  definition.use = TableUse::none;
  return definition;
}

/// The columns of a source that hold numbers of tables.
bool holdsTables(const Schema& schema, std::uint32_t column) {
  const Column& info = schema.columns()[column];
  const TableKind kind = schema.table(info.table).kind;
  return info.role == ColumnRole::member && info.member == relationCollection &&
         (kind == TableKind::oneRelation || kind == TableKind::manyRelation);
}

} // namespace

Partners Partners::byEntry(const Source& source, const Source& other) {
  if (source.entries() != other.entries())
    fail(ErrorKind::usage, other.name(), ": has ", other.entries(), " entries, and ", source.name(),
         " ", source.entries(), "; friends that differ in this are joined by keys that both have");
  return {};
}

Partners Partners::byKeys(const Source& source, const Source& other,
                          const std::vector<std::string>& keys, WithoutPartner without) {
  std::vector<std::vector<std::int64_t>> values;
  std::vector<KeyColumn> columns;
  for (const std::string& key : keys)
    values.push_back(valuesOfKey(source, key));
  for (std::size_t i = 0; i < keys.size(); ++i)
    columns.push_back({keys[i], values[i]});
  const auto found = findEach(other, columns);
  Partners partners;
  partners.m_isSame = false;
  partners.m_partners.reserve(found.size());
  for (std::size_t entry = 0; entry < found.size(); ++entry) {
    if (!found[entry] && without == WithoutPartner::isError) {
      std::string which;
      for (std::size_t i = 0; i < keys.size(); ++i)
        which += (i > 0 ? ", " : "") + keys[i] + " " + std::to_string(values[i][entry]);
      fail(ErrorKind::usage, other.name(), ": has no entry for entry ", entry, " of ",
           source.name(), ", ", which, "; it may be empty, if WithoutPartner says so");
    }
    partners.m_partners.push_back(found[entry].value_or(none));
  }
  return partners;
}

/// Pages of a friend that is joined by keys: its values in the order of the entries that they
/// belong to, a block of them at a time.
class FriendSource::JoinedPages {
public:
  JoinedPages(const Source& partner, const Partners& partners, std::uint64_t entries)
      : m_window(partner), m_partners(partners), m_entries(entries) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
    const EntrySelection cut = entries.within({0, m_entries});
    if (cut.size() >= m_entries / 2) // to sort them takes longer than to read the others
      return m_window.fetch(columns, {});
    std::vector<std::uint64_t> wanted;
    for (const EntryRange& run : cut.runs())
      for (std::uint64_t entry = run.first; entry < run.last; ++entry)
        if (m_partners[entry] != Partners::none)
          wanted.push_back(m_partners[entry]);
    sortUnique(wanted);
    m_window.fetch(columns, EntrySelection::ofList(wanted));
  }

  /// As many entries as the friend's first page of the group has, but not too many.
  [[nodiscard]] PageRange pages(std::uint32_t group, std::uint64_t entry) {
    constexpr std::uint64_t most = 4096;
    std::uint64_t& width = m_widths[group];
    if (width == 0)
      width = m_window.source().entries() == 0
                  ? most
                  : std::min(m_window.cursor().pages(group, 0).lastEntry, most);
    const std::uint64_t first = entry - entry % width;
    return {first, std::min(first + width, m_entries), 0, 0};
  }

  void read(std::uint32_t column, const PageRange& range, std::size_t values, Page& page) {
    page.shared.reset();
    turnTo(range);
    const Column& info = schema().columns()[column];
    switch (info.role) {
    case ColumnRole::presence:
      return readPresence(info.table, values, page);
    case ColumnRole::counts:
      return readCounts(info.table, values, page);
    case ColumnRole::rows:
    case ColumnRole::member:
      return readRows(column, values, page);
    }
  }

private:
  /// Entries of the block whose partners follow each other.
  struct Piece {
    std::size_t first; // in the block
    EntryRange partners;
  };

  [[nodiscard]] const Schema& schema() const noexcept { return m_window.source().schema(); }

  void turnTo(const PageRange& range) {
    if (m_block == EntryRange{range.firstEntry, range.lastEntry})
      return;
    m_block = {range.firstEntry, range.lastEntry};
    m_begins.clear();
    m_pieces.clear();
    for (std::uint64_t entry = m_block.first; entry < m_block.last; ++entry) {
      const std::uint64_t partner = m_partners[entry];
      if (partner == Partners::none)
        continue;
      const auto place = static_cast<std::size_t>(entry - m_block.first);
      if (!m_pieces.empty() && m_pieces.back().partners.last == partner &&
          m_pieces.back().first + m_pieces.back().partners.size() == place)
        ++m_pieces.back().partners.last;
      else
        m_pieces.push_back({place, {partner, partner + 1}});
    }
    // Each page is decoded once, in whatever order its entries are wanted.
    std::ranges::sort(m_pieces, {}, [](const Piece& piece) { return piece.partners.first; });
  }

  /// Calls `use` with each piece, cut where pages of the friend end.
  template <class Use>
  void forPieces(std::uint32_t table, Use use) {
    for (Piece rest : m_pieces)
      while (rest.partners.size() > 0) {
        const std::uint64_t end = m_window.pages(table, rest.partners.first).lastEntry;
        const std::uint64_t last = std::min(rest.partners.last, end);
        use(Piece{rest.first, {rest.partners.first, last}});
        rest.first += static_cast<std::size_t>(last - rest.partners.first);
        rest.partners.first = last;
      }
  }

  /// Where the rows of each entry of the block begin, and at last where they end.
  const std::vector<std::size_t>& beginsOf(std::uint32_t table) {
    std::vector<std::size_t>& begins = m_begins[table];
    if (!begins.empty())
      return begins;
    // An entry without a partner has a row of what is one an entry.
    const Table info = schema().table(table);
    const std::size_t without = info.isRoot() && !info.isCounted() ? 1 : 0;
    std::vector<std::size_t> sums(m_block.size() + 1, without);
    sums.front() = 0;
    forPieces(table, [&](const Piece& piece) {
      for (std::uint64_t entry = piece.partners.first; entry < piece.partners.last; ++entry) {
        const auto [first, last] = m_window.rows(table, entry);
        sums[piece.first + static_cast<std::size_t>(entry - piece.partners.first) + 1] =
            last - first;
      }
    });
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    begins = std::move(sums);
    return begins;
  }

  /// Whether a page of a table has so many values, of this size, as was expected. An entry of the
  /// friend may be the partner of many: so pages can be far larger than the friend's.
  void checkPage(std::uint32_t table, std::size_t expected, std::size_t values,
                 std::size_t size) const {
    constexpr std::size_t mostBytes = std::size_t{1} << 30;
    if (expected != values)
      fail(ErrorKind::corrupt, m_window.source().name(), ": changed while it was read");
    if (values > mostBytes / size)
      fail(ErrorKind::usage, m_window.source().name(), ": '", schema().table(table).name, "' has ",
           values, " values in the entries ", m_block.first, " to ", m_block.last,
           " that it is joined to, which would take more than 1 GiB");
  }

  void readPresence(std::uint32_t table, std::size_t values, Page& page) {
    const auto out = page.storage.assign(values);
    std::ranges::fill(out, std::byte{0});
    forPieces(table, [&](const Piece& piece) {
      for (std::uint64_t entry = piece.partners.first; entry < piece.partners.last; ++entry)
        out[piece.first + static_cast<std::size_t>(entry - piece.partners.first)] =
            std::byte{m_window.isPresent(table, entry)};
    });
    page.values = values;
    page.data = out.data();
  }

  void readCounts(std::uint32_t table, std::size_t values, Page& page) {
    const Table info = schema().table(table);
    const std::vector<std::size_t>* const above = info.isRoot() ? nullptr : &beginsOf(info.parent);
    checkPage(table, above ? above->back() : m_block.size(), values, sizeof(std::uint32_t));
    const auto bytes = page.storage.assign((values + 1) * sizeof(std::uint32_t));
    const std::span sums(reinterpret_cast<std::uint32_t*>(bytes.data()), values + 1);
    std::ranges::fill(sums, 0);
    forPieces(table, [&](const Piece& piece) {
      const EntryRange entries = piece.partners;
      const std::uint64_t begin = m_window.pages(table, entries.first).firstEntry;
      const std::size_t first = info.isRoot() ? static_cast<std::size_t>(entries.first - begin)
                                              : m_window.rows(info.parent, entries.first).first;
      const std::size_t last = info.isRoot() ? static_cast<std::size_t>(entries.last - begin)
                                             : m_window.rows(info.parent, entries.last - 1).second;
      const auto inPage = m_window.offsets(table, entries.first);
      std::uint32_t* out = sums.data() + (above ? (*above)[piece.first] : piece.first) + 1;
      for (std::size_t row = first; row < last; ++row)
        *out++ = inPage[row + 1] - inPage[row];
    });
    const std::uint64_t total = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
    if (total > std::numeric_limits<std::uint32_t>::max())
      fail(ErrorKind::usage, m_window.source().name(), ": '", info.name, "' has ", total,
           " rows in the entries ", m_block.first, " to ", m_block.last,
           " that it is joined to, more than 4294967295");
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    page.values = values + 1;
    page.data = bytes.data();
  }

  void readRows(std::uint32_t column, std::size_t values, Page& page) {
    const Column& info = schema().columns()[column];
    const std::size_t size = info.elementSize;
    const std::vector<std::size_t>& begins = beginsOf(info.table);
    checkPage(info.table, begins.back(), values, size);
    const auto out =
        page.room.size() == values * size ? page.room : page.storage.assign(values * size);
    fillMissing(info, begins, out);
    forPieces(info.table, [&](const Piece& piece) {
      const std::size_t first = m_window.rows(info.table, piece.partners.first).first;
      const std::size_t last = m_window.rows(info.table, piece.partners.last - 1).second;
      if (first == last)
        return;
      const Page& from = m_window.page(column, piece.partners.first);
      const std::size_t stride = from.isRepeated ? 0 : size;
      copyStrided(out.data() + begins[piece.first] * size, size, from.data + first * stride, stride,
                  last - first, size);
    });
    page.values = values;
    page.data = out.data();
  }

  /// What is one an entry has a row also where there is no partner.
  void fillMissing(const Column& info, const std::vector<std::size_t>& begins,
                   std::span<std::byte> out) const {
    const Table table = schema().table(info.table);
    if (table.isCounted() || !table.isRoot())
      return;
    const Member member = table.members[info.member];
    for (std::uint64_t entry = m_block.first; entry < m_block.last; ++entry)
      if (m_partners[entry] == Partners::none)
        for (std::uint32_t i = 0; i < member.extent; ++i)
          std::memcpy(out.data() + begins[entry - m_block.first] * info.elementSize +
                          std::size_t{i} * sizeOf(member.type),
                      &member.missing, sizeOf(member.type));
  }

  Window m_window; // of the friend
  const Partners& m_partners;
  std::uint64_t m_entries;
  std::map<std::uint32_t, std::uint64_t> m_widths; // by group
  EntryRange m_block{0, 0};
  std::vector<Piece> m_pieces;                                // of the block
  std::map<std::uint32_t, std::vector<std::size_t>> m_begins; // by table
};

/// Reads the pages of both.
class FriendSource::Reading final : public Cursor {
public:
  explicit Reading(const FriendSource& source)
      : m_source(source), m_own(source.m_source.cursor()),
        m_pages(source.m_partners.isSame() ? source.m_partner.cursor() : nullptr) {
    if (!m_pages)
      m_joined.emplace(source.m_partner, source.m_partners, source.entries());
  }

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::uint32_t> own, friends;
    for (const std::uint32_t column : columns)
      if (column < m_source.m_columns)
        own.push_back(column);
      else
        friends.push_back(column - m_source.m_columns);
    if (!own.empty())
      m_own->fetch(own, entries);
    if (friends.empty())
      return;
    if (m_joined)
      m_joined->fetch(friends, entries);
    else
      m_pages->fetch(friends, entries);
  }

  [[nodiscard]] PageRange pages(std::uint32_t group, std::uint64_t entry) override {
    if (group < m_source.m_tables)
      return m_own->pages(group, entry);
    group -= m_source.m_tables;
    return m_joined ? m_joined->pages(group, entry) : m_pages->pages(group, entry);
  }

  void read(std::uint32_t column, const PageRange& range, std::size_t values, Page& page) override {
    if (column < m_source.m_columns)
      return m_own->read(column, range, values, page);
    column -= m_source.m_columns;
    if (m_joined)
      m_joined->read(column, range, values, page);
    else
      m_pages->read(column, range, values, page);
    if (holdsTables(m_source.m_partner.schema(), column))
      renumber(page);
  }

  [[nodiscard]] std::optional<Extremes> extremes(std::uint32_t table, std::uint32_t member,
                                                 const PageRange& range) override {
    if (table < m_source.m_tables)
      return m_own->extremes(table, member, range);
    return m_joined ? std::nullopt : m_pages->extremes(table - m_source.m_tables, member, range);
  }

private:
  /// Gives the tables that references lead to their numbers beside the others.
  void renumber(Page& page) {
    const std::size_t rows = page.isRepeated ? 1 : page.values;
    Buffer numbers;
    const auto out = numbers.assign(rows * sizeof(std::uint32_t));
    for (std::size_t row = 0; row < rows; ++row) {
      std::uint32_t table = 0;
      std::memcpy(&table, page.data + row * sizeof table, sizeof table);
      table = table < m_source.m_partner.schema().size() ? table + m_source.m_tables : Table::none;
      std::memcpy(out.data() + row * sizeof table, &table, sizeof table);
    }
    page.storage = std::move(numbers);
    page.data = page.storage.data();
    page.shared.reset();
  }

  const FriendSource& m_source;
  std::unique_ptr<Cursor> m_own;
  std::unique_ptr<Cursor> m_pages;     // of the friend, by entry
  std::optional<JoinedPages> m_joined; // by keys
};

FriendSource::FriendSource(const Source& source, const Source& partner, const std::string& prefix,
                           Partners partners)
    : m_source(source), m_partner(partner), m_partners(std::move(partners)),
      m_schema(source.schema()), m_tables(source.schema().size()),
      m_columns(static_cast<std::uint32_t>(source.schema().columns().size())) {
  for (const Table& table : partner.schema().tables()) {
    const TableDefinition definition = renamed(table, prefix, m_tables);
    if (source.schema().find(definition.name) != Table::none)
      fail(ErrorKind::usage, source.name(), ": has a '", definition.name,
           "' already; give the friend another name");
    m_schema.add(definition);
  }
}

std::unique_ptr<Cursor> FriendSource::cursor() const { return std::make_unique<Reading>(*this); }

std::optional<Extremes> FriendSource::extremes(std::uint32_t table, std::uint32_t member,
                                               std::size_t cluster) const {
  return table < m_tables ? m_source.extremes(table, member, cluster) : std::nullopt;
}

std::vector<Extremes> FriendSource::extremesOfClusters(std::uint32_t table,
                                                       std::uint32_t member) const {
  return table < m_tables ? m_source.extremesOfClusters(table, member) : std::vector<Extremes>{};
}

std::optional<ColumnUsage> FriendSource::usage(std::uint32_t column) const {
  return column < m_columns ? m_source.usage(column) : m_partner.usage(column - m_columns);
}

} // namespace kaon
