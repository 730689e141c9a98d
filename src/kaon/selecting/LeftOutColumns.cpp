#include <kaon/selecting/LeftOutColumns.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Warning.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/model/Table.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {
namespace {

using ColumnNames = LeftOutColumns::Names;

/// The numbers of a narrowed source and of its stored source.
struct NarrowedNumbers {
  std::vector<std::uint32_t> columns; // there, by their number here
  std::vector<std::uint32_t> groups;  // there, by the table's number here
  std::vector<std::uint32_t> tables;  // here, by their number there
};

[[nodiscard]] bool isRelation(TableKind kind) noexcept {
  return kind == TableKind::oneRelation || kind == TableKind::manyRelation;
}

class NarrowedCursor final : public Cursor {
public:
  NarrowedCursor(std::unique_ptr<Cursor> stored, const Schema& schema,
                 const NarrowedNumbers& numbers)
      : m_stored(std::move(stored)), m_schema(schema), m_numbers(numbers) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::uint32_t> stored;
    for (const ColumnNumber column : columns)
      stored.push_back(m_numbers.columns[column]);
    m_stored->fetch(stored, entries);
  }
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_stored->hold(); }
  [[nodiscard]] PageRange pages(TableNumber group, std::uint64_t entry) override {
    return m_stored->pages(m_numbers.groups[group], entry);
  }
  void read(ColumnNumber column, const PageRange& range, std::size_t values, Page& page) override {
    m_stored->read(m_numbers.columns[column], range, values, page);
    const Column& info = m_schema.columns()[column];
    if (info.role == ColumnRole::member && info.member == relationCollection &&
        isRelation(m_schema.table(info.table).kind))
      renumber(page);
  }

private:
  /// Replaces the stored numbers of collections by the numbers here, in a copy of the page.
  void renumber(Page& page) const {
    constexpr std::size_t size = sizeof(std::uint32_t);
    const std::size_t count = page.isRepeated ? 1 : page.values;
    Buffer renumbered;
    renumbered.append({page.data, count * size});
    for (std::size_t i = 0; i < count; ++i) {
      const auto there = loadAs<std::uint32_t>(page.data + i * size);
      const TableNumber here =
          there < m_numbers.tables.size() ? TableNumber(m_numbers.tables[there]) : Table::none;
      std::memcpy(renumbered.data() + i * size, &here, size);
    }
    page.shared.reset();
    page.storage = std::move(renumbered);
    page.data = page.storage.data();
  }

  std::unique_ptr<Cursor> m_stored;
  const Schema& m_schema;
  const NarrowedNumbers& m_numbers;
};

/// A source without some columns.
class NarrowedSource final : public Source {
public:
  NarrowedSource(const Source& stored, const ColumnNames& leftOut) : m_stored(stored) {
    for (TableNumber table = 0; table < stored.schema().size(); ++table)
      m_numbers.tables.push_back(add(table, leftOut));
  }

  [[nodiscard]] const std::string& name() const noexcept override { return m_stored.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_stored.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_stored.clusters(); }
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override {
    return std::make_unique<NarrowedCursor>(m_stored.cursor(), m_schema, m_numbers);
  }
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override {
    return m_stored.usage(m_numbers.columns[column]);
  }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_stored.unreadable();
  }

private:
  /// Adds a stored table without the members that are left out. A column with whole rows keeps all
  /// members. Returns the table's number, or Table::none if nothing of it is left.
  TableNumber add(std::uint32_t number, const ColumnNames& leftOut) {
    const std::vector<std::uint32_t>& numbers = m_numbers.tables;
    const Schema& stored = m_stored.schema();
    TableDefinition table = stored.table(number).definition();
    const bool isUnder = table.parent != Table::none;
    if (leftOut.contains(table.name) || (isUnder && numbers[table.parent] == Table::none))
      return Table::none;
    if (isUnder)
      table.parent = numbers[table.parent];
    std::vector<MemberDefinition> kept;
    bool hasRows = false;
    const auto [first, last] = stored.columnsOf(number);
    std::vector<std::uint32_t> columns;
    for (ColumnNumber column = first; column < last; ++column) {
      const Column& info = stored.columns()[column];
      if (info.role == ColumnRole::rows) {
        hasRows = true;
        kept = table.members;
      } else if (info.role == ColumnRole::member) {
        if (leftOut.contains(stored.nameOfMember(number, info.member)))
          continue;
        kept.push_back(table.members[info.member]);
      }
      columns.push_back(column);
    }
    for (MemberDefinition& member : kept)
      member.listsBefore = countKept(number, member.listsBefore, leftOut);
    if (kept.empty() && !table.members.empty() && !hasTablesUnder(number, leftOut))
      return Table::none;
    table.members = std::move(kept);
    if (!hasRows)
      table.rowSize = placeMembers(table.members);
    const std::uint32_t own = m_schema.add(table);
    m_numbers.columns.insert(m_numbers.columns.end(), columns.begin(), columns.end());
    m_numbers.groups.push_back(stored.groupOf(number));
    return own;
  }

  /// Returns how many of the first `count` tables under a table are not left out.
  [[nodiscard]] std::uint8_t countKept(TableNumber parent, std::uint8_t count,
                                       const ColumnNames& leftOut) const {
    std::size_t kept = 0;
    const Schema& stored = m_stored.schema();
    for (std::uint32_t number = parent + 1; count > 0 && number < stored.size(); ++number)
      if (const Table table = stored.table(number); table.parent == parent) {
        --count;
        kept += leftOut.contains(table.name) ? 0 : 1;
      }
    return detail::countOfLists(kept);
  }

  [[nodiscard]] bool hasTablesUnder(TableNumber parent, const ColumnNames& leftOut) const {
    return std::ranges::any_of(m_stored.schema().tables(), [&](const Table& table) {
      return table.parent == parent && !leftOut.contains(table.name);
    });
  }

  const Source& m_stored;
  Schema m_schema;
  NarrowedNumbers m_numbers;
};

/// A file without some columns of some categories.
class NarrowedFile final : public WrappedFile {
public:
  NarrowedFile(std::shared_ptr<const File> file,
               const std::map<std::string, ColumnNames, std::less<>>& leftOut)
      : WrappedFile(std::move(file)) {
    for (const std::string& name : categories()) {
      const Source& stored = wrapped()->category(name);
      if (const auto names = leftOut.find(stored.name()); names != leftOut.end())
        m_narrowed.emplace(name, std::make_unique<NarrowedSource>(stored, names->second));
    }
  }

  [[nodiscard]] const Source& category(std::string_view name) const override {
    const auto narrowed = m_narrowed.find(name);
    return narrowed == m_narrowed.end() ? wrapped()->category(name) : *narrowed->second;
  }

private:
  std::map<std::string, std::unique_ptr<Source>, std::less<>> m_narrowed;
};

} // namespace

bool LeftOutColumns::add(const UnreadableColumns& error) {
  ColumnNames& names = m_names[error.source()];
  const std::size_t before = names.size();
  names.insert(error.names().begin(), error.names().end());
  return names.size() > before;
}

std::shared_ptr<const File> LeftOutColumns::removeFrom(std::shared_ptr<const File> file) const {
  if (m_names.empty())
    return file;
  return std::make_shared<NarrowedFile>(std::move(file), m_names);
}

void warnOfLeftOut(const UnreadableColumns& error) {
  warn(WarningKind::unreadMember, std::string(error.what()) + "; it is left out");
}

} // namespace kaon::detail
