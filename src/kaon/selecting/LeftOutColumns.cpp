#include <kaon/selecting/LeftOutColumns.h>

#include <kaon/base/Warning.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/model/Table.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {
namespace {

using ColumnNames = LeftOutColumns::Names;

/// Columns and groups of a narrowed source, by their numbers there.
struct StoredNumbers {
  std::vector<std::uint32_t> columns; // of the stored source
  std::vector<std::uint32_t> groups;  // of the stored source, by table
};

class NarrowedCursor final : public Cursor {
public:
  NarrowedCursor(std::unique_ptr<Cursor> stored, const StoredNumbers& numbers)
      : m_stored(std::move(stored)), m_numbers(numbers) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::uint32_t> stored;
    for (const std::uint32_t column : columns)
      stored.push_back(m_numbers.columns[column]);
    m_stored->fetch(stored, entries);
  }
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_stored->hold(); }
  [[nodiscard]] PageRange pages(std::uint32_t group, std::uint64_t entry) override {
    return m_stored->pages(m_numbers.groups[group], entry);
  }
  void read(std::uint32_t column, const PageRange& range, std::size_t values, Page& page) override {
    m_stored->read(m_numbers.columns[column], range, values, page);
  }

private:
  std::unique_ptr<Cursor> m_stored;
  const StoredNumbers& m_numbers;
};

/// A source without some columns.
class NarrowedSource final : public Source {
public:
  NarrowedSource(const Source& stored, const ColumnNames& leftOut) : m_stored(stored) {
    std::vector<std::uint32_t> numbers; // in the narrowed source, of each stored table
    for (std::uint32_t table = 0; table < stored.schema().size(); ++table)
      numbers.push_back(add(table, leftOut, numbers));
  }

  [[nodiscard]] const std::string& name() const noexcept override { return m_stored.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_stored.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_stored.clusters(); }
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override {
    return std::make_unique<NarrowedCursor>(m_stored.cursor(), m_numbers);
  }
  [[nodiscard]] std::optional<ColumnUsage> usage(std::uint32_t column) const override {
    return m_stored.usage(m_numbers.columns[column]);
  }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_stored.unreadable();
  }

private:
  /// Adds a stored table without the members that are left out. Returns its number, or Table::none
  /// if nothing of it is left.
  std::uint32_t add(std::uint32_t number, const ColumnNames& leftOut,
                    const std::vector<std::uint32_t>& numbers) {
    const Schema& stored = m_stored.schema();
    TableDefinition table = stored.table(number).definition();
    const bool isUnder = table.parent != Table::none;
    if (leftOut.contains(table.name) || (isUnder && numbers[table.parent] == Table::none))
      return Table::none;
    if (isUnder)
      table.parent = numbers[table.parent];
    std::vector<MemberDefinition> kept;
    const auto [first, last] = stored.columnsOf(number);
    std::vector<std::uint32_t> columns;
    for (std::uint32_t column = first; column < last; ++column) {
      const Column& info = stored.columns()[column];
      if (info.role == ColumnRole::member) {
        if (leftOut.contains(stored.nameOfMember(number, info.member)))
          continue;
        kept.push_back(table.members[info.member]);
        kept.back().listsBefore = countKept(number, kept.back().listsBefore, leftOut);
      }
      columns.push_back(column);
    }
    if (kept.empty() && !table.members.empty() && !hasTablesUnder(number, leftOut))
      return Table::none;
    table.members = std::move(kept);
    table.rowSize = placeMembers(table.members);
    const std::uint32_t own = m_schema.add(table);
    m_numbers.columns.insert(m_numbers.columns.end(), columns.begin(), columns.end());
    m_numbers.groups.push_back(stored.groupOf(number));
    return own;
  }

  /// Returns how many of the first `count` tables under a table are not left out.
  [[nodiscard]] std::uint8_t countKept(std::uint32_t parent, std::uint8_t count,
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

  [[nodiscard]] bool hasTablesUnder(std::uint32_t parent, const ColumnNames& leftOut) const {
    return std::ranges::any_of(m_stored.schema().tables(), [&](const Table& table) {
      return table.parent == parent && !leftOut.contains(table.name);
    });
  }

  const Source& m_stored;
  Schema m_schema;
  StoredNumbers m_numbers;
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
