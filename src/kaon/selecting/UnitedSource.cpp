#include <kaon/selecting/UnitedSource.h>

#include <kaon/base/SortUnique.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/batch/Provenance.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/reading/Window.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon {

Schema separated(const Schema& united) {
  Schema schema;
  for (const Table& table : united.tables()) {
    TableDefinition definition = table.definition();
    definition.layout = Layout::split;
    definition.use = TableUse::none;
    definition.group = table.isRoot() ? std::string(table.name) : std::string();
    schema.add(definition);
  }
  return schema;
}

/// Returns pages with the entries of the source's pages. Tables that the source lacks have pages of
/// 4096 entries.
class UnitedSource::Reading final : public detail::Cursor {
public:
  explicit Reading(const UnitedSource& source) : m_source(source), m_window(source.m_source) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    const Schema& stored = m_source.m_source.schema();
    std::vector<std::uint32_t> wanted;
    for (const ColumnNumber column : columns) {
      const Column info = m_source.m_schema.columns()[column];
      const std::uint32_t own = m_source.m_own[info.table];
      if (own == Table::none)
        continue;
      if (info.role == ColumnRole::presence)
        wanted.push_back(stored.presenceColumn(own));
      else if (info.role == ColumnRole::counts)
        wanted.push_back(stored.countsColumn(own));
      else
        wanted.push_back(stored.place(own, info.member).column);
    }
    sortUnique(wanted);
    m_window.fetch(wanted, entries);
  }

  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    constexpr std::uint64_t width = 4096;
    if (const std::uint32_t own = m_source.m_own[group]; own != Table::none)
      return m_window.pages(own, entry);
    const std::uint64_t first = entry - entry % width;
    return {first, std::min(first + width, m_source.entries()), 0, 0};
  }

  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    const Column info = m_source.m_schema.columns()[column];
    const std::uint32_t own = m_source.m_own[info.table];
    page.shared.reset();
    page.isRepeated = false;
    if (own == Table::none && isOfPlaces(m_source.m_schema.table(info.table)))
      return readPlaces(info, range, values, page);
    if (own == Table::none)
      return fillMissing(m_source.m_schema, column, false, values, m_source.name(), page);
    if (info.role == ColumnRole::presence)
      return readPresence(own, range, page);
    if (info.role == ColumnRole::counts)
      return readCounts(own, range, page);
    readMember(info, own, range, values, page);
  }

private:
  void readPresence(std::uint32_t own, const detail::PageRange& range, detail::Page& page) {
    page.values = static_cast<std::size_t>(range.lastEntry - range.firstEntry);
    const auto out = page.storage.assign(page.values);
    for (std::size_t i = 0; i < page.values; ++i)
      out[i] = std::byte{m_window.isPresent(own, range.firstEntry + i)};
    page.data = out.data();
  }

  void readCounts(std::uint32_t own, const detail::PageRange& range, detail::Page& page) {
    const auto offsets = std::as_bytes(m_window.offsets(own, range.firstEntry));
    page.values = offsets.size() / sizeof(std::uint32_t);
    const auto out = page.storage.assign(offsets.size());
    std::ranges::copy(offsets, out.begin());
    page.data = out.data();
  }

  void readMember(const Column& info, std::uint32_t own, const detail::PageRange& range,
                  std::size_t values, detail::Page& page) {
    const std::size_t size = info.elementSize;
    const ColumnView view = m_window.member(own, info.member, range.firstEntry);
    const auto out = page.roomFor(values * size);
    detail::copyStrided(out.data(), size, view.base, view.stride, values, size);
    page.values = values;
    const TableKind kind = m_source.m_schema.table(info.table).kind;
    if ((kind == TableKind::oneRelation || kind == TableKind::manyRelation) &&
        info.member == detail::relationCollection)
      renumber(out);
  }

  /// Writes the present positions of objects, because the source states no others.
  void readPlaces(const Column& info, const detail::PageRange& range, std::size_t values,
                  detail::Page& page) {
    std::vector<std::uint32_t> places(values);
    const TableNumber above = m_source.m_own[m_source.m_schema.rootOf(info.table)];
    if (above != Table::none)
      fillPlaces(m_window.offsets(above, range.firstEntry), places.data());
    const auto bytes = std::as_bytes(std::span(places));
    std::ranges::copy(bytes, page.storage.assign(bytes.size()).begin());
    page.values = values;
    page.data = page.storage.data();
  }

  void renumber(std::span<std::byte> collections) const {
    for (std::size_t at = 0; at < collections.size(); at += sizeof(std::uint32_t)) {
      std::uint32_t number = 0;
      std::memcpy(&number, &collections[at], sizeof number);
      number = number < m_source.m_numbers.size() ? TableNumber(m_source.m_numbers[number])
                                                  : Table::none;
      std::memcpy(&collections[at], &number, sizeof number);
    }
  }

  const UnitedSource& m_source;
  detail::Window m_window; // of its source
};

UnitedSource::UnitedSource(const Source& source, const Schema& schema,
                           std::vector<std::uint32_t> numbers)
    : m_source(source), m_schema(schema), m_numbers(std::move(numbers)),
      m_own(schema.size(), Table::none) {
  for (TableNumber table = 0; table < m_numbers.size(); ++table)
    m_own[m_numbers[table]] = table;
}

std::unique_ptr<detail::Cursor> UnitedSource::cursor() const {
  return std::make_unique<Reading>(*this);
}

} // namespace kaon
