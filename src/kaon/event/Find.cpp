#include <kaon/event/Find.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/Window.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// A column with one integer an entry, and the one that is wanted.
class KeyColumn {
public:
  KeyColumn(const Source& source, const Key& key) : m_source(source) {
    const Schema& schema = source.schema();
    m_table = schema.find(key.name);
    if (m_table == Table::none || schema.table(m_table).kind != TableKind::value)
      failUnknown(key.name);
    const Members members = schema.table(m_table).members;
    if (members.size() != 1 || members[0].extent != 1 || members[0].type == Scalar::Bool ||
        members[0].type == Scalar::Float32 || members[0].type == Scalar::Float64)
      fail(ErrorKind::type, source.name(), ": '", key.name, "' is no integer, to be found by");
    m_type = members[0].type;
    withScalar(m_type, [&]<class T>(T) {
      const auto value = static_cast<T>(key.value);
      m_isPossible = static_cast<std::int64_t>(value) == key.value;
      std::memcpy(&m_wanted, &value, sizeof value);
    });
  }

  [[nodiscard]] bool isPossible() const noexcept { return m_isPossible; }
  [[nodiscard]] std::uint32_t table() const noexcept { return m_table; }
  [[nodiscard]] bool mayBeInCluster(std::size_t cluster) const {
    return isWithin(m_source.extremes(m_table, 0, cluster));
  }
  /// Whether it may be in the entry's page.
  [[nodiscard]] bool mayBeIn(Window& window, std::uint64_t entry) const {
    return isWithin(window.extremes(m_table, 0, entry));
  }

  /// The first entry of [first, last), which share their page, that has the value; else `last`.
  [[nodiscard]] std::uint64_t find(Window& window, std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t begin = window.pages(m_table, first).firstEntry;
    const ColumnView values = window.member(m_table, 0, first);
    return withScalar(m_type, [&]<class T>(T) {
      const auto wanted = loadAs<T>(reinterpret_cast<const std::byte*>(&m_wanted));
      std::uint64_t entry = first;
      while (entry < last &&
             loadAs<T>(values.at(static_cast<std::size_t>(entry - begin))) != wanted)
        ++entry;
      return entry;
    });
  }

private:
  [[nodiscard]] bool isWithin(const std::optional<Extremes>& extremes) const {
    if (!extremes)
      return true;
    return !extremes->hasNone && withScalar(m_type, [&]<class T>(T) {
      const auto as = [](const std::uint64_t& bits) {
        return loadAs<T>(reinterpret_cast<const std::byte*>(&bits));
      };
      return as(m_wanted) >= as(extremes->least) && as(m_wanted) <= as(extremes->greatest);
    });
  }
  [[noreturn]] void failUnknown(std::string_view name) const {
    std::vector<std::string> known;
    for (const Table& table : m_source.schema().tables())
      if (table.kind == TableKind::value)
        known.emplace_back(table.name);
    fail(ErrorKind::name, m_source.name(), ": has no value '", name, "' to find events by",
         suggestion(name, known));
  }

  const Source& m_source;
  std::uint32_t m_table = 0;
  Scalar m_type = Scalar::Int64;
  bool m_isPossible = true;
  std::uint64_t m_wanted = 0; // its bytes
};

/// The first entry of a cluster that has all values; `range.last` if there is none.
std::uint64_t findIn(const std::vector<KeyColumn>& keys, Window& window, EntryRange range) {
  for (std::uint64_t entry = range.first; entry < range.last;) {
    std::uint64_t next = range.last; // until there all keys' pages stay the same
    bool isPossible = true;
    for (const KeyColumn& key : keys) {
      next = std::min(next, window.pages(key.table(), entry).lastEntry);
      isPossible = isPossible && key.mayBeIn(window, entry);
    }
    if (!isPossible) {
      entry = next;
      continue;
    }
    std::uint64_t candidate = entry;
    for (const KeyColumn& key : keys)
      if (candidate < next)
        candidate = key.find(window, candidate, next);
    if (candidate == entry)
      return entry;
    entry = candidate; // where the last key has its value: do the others too?
  }
  return range.last;
}

} // namespace

std::optional<std::uint64_t> find(const Source& source, std::span<const Key> keys) {
  if (keys.empty())
    fail(ErrorKind::usage, source.name(), ": nothing is given to find an event by");
  std::vector<KeyColumn> columns;
  bool isPossible = true;
  for (const Key& key : keys)
    isPossible = columns.emplace_back(source, key).isPossible() && isPossible;
  if (!isPossible)
    return std::nullopt;
  Window window(source);
  const auto clusters = source.clusters();
  for (std::size_t number = 0; number < clusters.size(); ++number) {
    const bool mayBeHere = std::ranges::all_of(
        columns, [number](const KeyColumn& key) { return key.mayBeInCluster(number); });
    if (!mayBeHere)
      continue;
    if (const std::uint64_t entry = findIn(columns, window, clusters[number]);
        entry < clusters[number].last)
      return entry;
  }
  return std::nullopt;
}

} // namespace kaon
