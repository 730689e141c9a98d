#include <kaon/dataset/FriendSource.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/event/Find.h>
#include <kaon/selecting/KeyReader.h>
#include <kaon/selecting/PickedPages.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon::detail {
namespace {

std::vector<std::string> keysOf(const Schema& schema) {
  std::vector<std::string> keys;
  for (const Table& table : schema.tables())
    if (table.isRoot() && findKey(schema, table.name))
      keys.emplace_back(table.name);
  return keys;
}

/// The values of a key in all entries, in the form that findEach() takes.
struct KeyValues {
  std::vector<std::int64_t> values;
  KeyBits bits;
  [[nodiscard]] std::string text(std::size_t entry) const {
    return bits == KeyBits::unsignedNumber
               ? std::to_string(static_cast<std::uint64_t>(values[entry]))
               : std::to_string(values[entry]);
  }
};

KeyValues valuesOfKey(const Source& source, const std::string& name) {
  const auto place = findKey(source.schema(), name);
  if (!place)
    fail(ErrorKind::name, source.name(), ": has no integer '", name,
         "' with one value for each entry, which a key of a friend must be",
         suggestion(name, keysOf(source.schema())));
  KeyReader reader(source, {*place});
  KeyValues key{{},
                place->type == Scalar::UInt64 ? KeyBits::unsignedNumber : KeyBits::signedNumber};
  for (std::uint64_t entry = 0; entry < source.entries();) {
    entry = reader.turnTo(entry, source.entries());
    for (const std::uint64_t rank : reader.ranks(0))
      key.values.push_back(numberOf(place->type, rank));
  }
  return key;
}

/// Returns the definition of a friend's table with the prefix in its name and group, behind
/// `tables` other tables.
TableDefinition renamed(const Table& table, const std::string& prefix, std::uint32_t tables) {
  TableDefinition definition = table.definition();
  definition.name = prefix + "." + definition.name;
  if (!table.isRoot())
    definition.parent += tables;
  // Values without a group form one group, and tags another.
  const bool isTag = has(definition.use, TableUse::tag);
  if (!definition.group.empty())
    definition.group = prefix + "." + definition.group;
  else if (table.kind == TableKind::value)
    definition.group = prefix + (isTag ? "#tags" : "#values");
  definition.use = TableUse::none;
  return definition;
}

/// Returns whether a column holds numbers of tables.
bool holdsTables(const Schema& schema, ColumnNumber column) {
  const Column& info = schema.columns()[column];
  const TableKind kind = schema.table(info.table).kind;
  return info.role == ColumnRole::member && info.member == relationCollection &&
         (kind == TableKind::oneRelation || kind == TableKind::manyRelation);
}

} // namespace

Partners Partners::byEntry(const Source& source, const Source& other) {
  if (source.entries() != other.entries())
    fail(ErrorKind::usage, other.name(), ": has ", counted(other.entries(), "entry", "entries"),
         ", but ", source.name(), " has ", grouped(source.entries()),
         "; join them by keys that both have");
  return {};
}

Partners Partners::byKeys(const Source& source, const Source& other,
                          const std::vector<std::string>& keys, WithoutPartner without) {
  std::vector<KeyValues> own;
  std::vector<KeyColumn> columns;
  for (const std::string& key : keys)
    own.push_back(valuesOfKey(source, key));
  for (std::size_t i = 0; i < keys.size(); ++i)
    columns.push_back({keys[i], own[i].values, own[i].bits});
  const auto entries = findEach(other, columns);
  Partners partners;
  partners.m_isSame = false;
  partners.m_partners.reserve(entries.size());
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    if (!entries[entry] && without == WithoutPartner::isError) {
      std::string which;
      for (std::size_t i = 0; i < keys.size(); ++i)
        which += (i > 0 ? ", " : "") + keys[i] + " " + own[i].text(entry);
      fail(ErrorKind::usage, other.name(), ": has no entry for entry ", entry, " of ",
           source.name(), ", ", which,
           "; allow entries without a partner to be empty (WithoutPartner::isEmpty, or "
           "without_partner='empty')");
    }
    partners.m_partners.push_back(entries[entry].value_or(PickedPages::none));
  }
  return partners;
}

/// Reads the pages of the source and of the friend.
class FriendSource::Reading final : public Cursor {
public:
  explicit Reading(const FriendSource& source)
      : m_source(source), m_own(source.m_source.cursor()),
        m_pages(source.m_partners.isSame() ? source.m_partner.cursor() : nullptr) {
    if (!m_pages)
      m_joined.emplace(source.m_partner, source.m_partners.list());
  }

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::uint32_t> own, friends;
    for (const ColumnNumber column : columns)
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

  [[nodiscard]] PageRange pages(TableNumber group, std::uint64_t entry) override {
    if (group < m_source.m_tables)
      return m_own->pages(group, entry);
    const TableNumber there = group - m_source.m_tables;
    return m_joined ? m_joined->pages(there, entry) : m_pages->pages(there, entry);
  }

  void read(ColumnNumber column, const PageRange& range, std::size_t values, Page& page) override {
    if (column < m_source.m_columns)
      return m_own->read(column, range, values, page);
    const ColumnNumber there = column - m_source.m_columns;
    if (m_joined)
      m_joined->read(there, range, values, page);
    else
      m_pages->read(there, range, values, page);
    if (holdsTables(m_source.m_partner.schema(), there))
      renumber(page);
  }

  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 const PageRange& range) override {
    if (table < m_source.m_tables)
      return m_own->extremes(table, member, range);
    return m_joined ? std::nullopt : m_pages->extremes(table - m_source.m_tables, member, range);
  }

private:
  /// Changes the table numbers of references to the friend's tables in the joined schema.
  void renumber(Page& page) {
    const std::size_t rows = page.isRepeated ? 1 : page.values;
    Buffer numbers;
    const auto out = numbers.assign(rows * sizeof(std::uint32_t));
    for (std::size_t row = 0; row < rows; ++row) {
      TableNumber table = 0;
      std::memcpy(&table, page.data + row * sizeof table, sizeof table);
      table = table < m_source.m_partner.schema().size() ? TableNumber(table + m_source.m_tables)
                                                         : Table::none;
      std::memcpy(out.data() + row * sizeof table, &table, sizeof table);
    }
    page.storage = std::move(numbers);
    page.data = page.storage.data();
    page.shared.reset();
  }

  const FriendSource& m_source;
  std::unique_ptr<Cursor> m_own;
  std::unique_ptr<Cursor> m_pages;     // of the friend, joined by entry
  std::optional<PickedPages> m_joined; // of the friend, joined by keys
};

FriendSource::FriendSource(const Source& source, const Source& partner, const std::string& prefix,
                           Partners partners)
    : m_source(source), m_partner(partner), m_partners(std::move(partners)),
      m_schema(source.schema()), m_tables(source.schema().size()),
      m_columns(static_cast<std::uint32_t>(source.schema().columns().size())) {
  if (prefix.empty())
    fail(ErrorKind::usage, partner.name(),
         ": a friend needs a name, because the names of its columns begin with it");
  if (source.schema().contains(prefix))
    fail(ErrorKind::usage, source.name(), ": has a '", prefix,
         "' already; give the friend another name");
  for (const Table& table : partner.schema().tables())
    m_schema.add(renamed(table, prefix, m_tables));
}

std::unique_ptr<Cursor> FriendSource::cursor() const { return std::make_unique<Reading>(*this); }

std::optional<Extremes> FriendSource::extremes(TableNumber table, MemberNumber member,
                                               std::size_t cluster) const {
  return table < m_tables ? m_source.extremes(table, member, cluster) : std::nullopt;
}

std::vector<Extremes> FriendSource::extremesOfClusters(TableNumber table,
                                                       MemberNumber member) const {
  return table < m_tables ? m_source.extremesOfClusters(table, member) : std::vector<Extremes>{};
}

std::optional<ColumnUsage> FriendSource::usage(ColumnNumber column) const {
  return column < m_columns ? m_source.usage(column) : m_partner.usage(column - m_columns);
}

} // namespace kaon::detail
