#include <kaon/detail/event/Find.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/selecting/KeyReader.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace kaon::detail {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// The index that entries are looked up in: the sorted keys if the source has them, else its
/// columns.
struct EntryIndex {
  const Source* source = nullptr;        ///< the source to read
  std::vector<KeyLocator> keys = {};     ///< in the source, in the order of comparison
  std::vector<std::size_t> columns = {}; ///< for each key, the number of the caller's column
  bool isSorted = false;                 ///< true: `keys` has the entry as one more key
};

[[noreturn]] void failUnknown(const Source& source, std::string_view name) {
  const Schema& schema = source.schema();
  std::vector<std::string> known;
  for (TableNumber table = 0; table < schema.size(); ++table) {
    const TableKind kind = schema.table(table).kind;
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      if (std::string full = schema.nameOfMember(table, member);
          kind == TableKind::value || (kind == TableKind::collection && findKey(schema, full)))
        known.push_back(std::move(full));
  }
  for (const std::string& each : known)
    if (each == name)
      fail(ErrorKind::type, source.name(), ": '", name,
           "' is not an integer, so it cannot find events");
  fail(ErrorKind::name, source.name(), ": has no value '", name, "' to find events by",
       suggestion(name, known));
}

/// Returns an index of the sorted keys, in their order, if they have all requested names.
std::optional<EntryIndex> sortedIndex(const Source& source,
                                      std::span<const std::string_view> names) {
  const Source* const sorted = source.sortedKeys();
  if (!sorted)
    return std::nullopt;
  EntryIndex index{.source = sorted, .isSorted = true};
  for (const Table& table : sorted->schema().tables())
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == table.name) {
        index.keys.push_back(*findKey(sorted->schema(), names[i]));
        index.columns.push_back(i);
      }
  if (index.keys.size() != names.size())
    return std::nullopt;
  index.keys.push_back(*findKey(sorted->schema(), entryOfKeys));
  return index;
}

EntryIndex indexOf(const Source& source, std::span<const std::string_view> names) {
  if (names.empty())
    fail(ErrorKind::usage, source.name(), ": give at least one value to find an event by");
  EntryIndex index{.source = &source};
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto place = findKey(source.schema(), names[i]);
    if (!place)
      failUnknown(source, names[i]);
    if (std::ranges::find(names.first(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      fail(ErrorKind::usage, source.name(), ": '", names[i], "' is given twice");
    index.keys.push_back(std::move(*place));
    index.columns.push_back(i);
  }
  return sortedIndex(source, names).value_or(std::move(index));
}

/// The wanted rows as ranks: sorted, without duplicates.
class WantedRows {
public:
  /// Leaves out rows with numbers outside the range of a key's type.
  WantedRows(const EntryIndex& index, std::span<const KeyColumn> columns)
      : m_keys(index.columns.size()) {
    const std::size_t count = columns.front().values.size();
    std::vector<std::uint64_t> ranks; // in the caller's order
    std::vector<std::size_t> rows;    // their positions in that order
    m_places.assign(count, nowhere);
    for (std::size_t row = 0; row < count; ++row) {
      std::size_t key = 0;
      for (; key < m_keys; ++key) {
        const KeyColumn& column = columns[index.columns[key]];
        const auto rank = rankOf(index.keys[key].type, column.values[row], column.bits);
        if (!rank)
          break;
        ranks.push_back(*rank);
      }
      if (key == m_keys)
        rows.push_back(row);
      else
        ranks.resize(rows.size() * m_keys);
    }
    sort(ranks, rows);
  }

  /// Returns the number of different rows.
  [[nodiscard]] std::size_t size() const noexcept { return m_ranks.size() / m_keys; }
  /// Returns the index here of each row of the caller; `nowhere` if it was left out.
  [[nodiscard]] std::span<const std::size_t> places() const noexcept { return m_places; }

  /// Return the least and the greatest rank of the first key. There must be at least one row.
  [[nodiscard]] std::uint64_t least() const noexcept { return m_ranks.front(); }
  [[nodiscard]] std::uint64_t greatest() const noexcept { return at(size() - 1, 0); }

  /// Returns the rows [first, second) among [first, last) that can lie within bounds.
  [[nodiscard]] std::pair<std::size_t, std::size_t>
  within(const KeyBounds& bounds, std::size_t first, std::size_t last) const {
    const auto begin = partition(first, last, [&](std::size_t row) {
      return compare(row, [&](std::size_t key) { return bounds.least[key]; }) < 0;
    });
    const auto end = partition(begin, last, [&](std::size_t row) {
      return compare(row, [&](std::size_t key) { return bounds.greatest[key]; }) <= 0;
    });
    // A later key may exclude a single row.
    if (end - begin == 1)
      for (std::size_t key = 0; key < m_keys; ++key)
        if (at(begin, key) < bounds.least[key] || at(begin, key) > bounds.greatest[key])
          return {begin, begin};
    return {begin, end};
  }

  /// Returns the number of keys per row.
  [[nodiscard]] std::size_t keys() const noexcept { return m_keys; }
  /// Whether the row has the ranks that `rankOfKey` returns. The last key is compared first: it
  /// mostly tells them apart.
  [[nodiscard]] bool is(std::size_t row, const auto& rankOfKey) const {
    std::size_t key = m_keys;
    while (key > 0 && at(row, key - 1) == rankOfKey(key - 1))
      --key;
    return key == 0;
  }
  /// Returns the row of [first, last) with the ranks that `rankOfKey` returns; `nowhere` if none
  /// has.
  [[nodiscard]] std::size_t find(std::size_t first, std::size_t last, const auto& rankOfKey) const {
    const std::size_t row =
        partition(first, last, [&](std::size_t each) { return compare(each, rankOfKey) < 0; });
    return row < last && compare(row, rankOfKey) == 0 ? row : nowhere;
  }

private:
  [[nodiscard]] std::uint64_t at(std::size_t row, std::size_t key) const noexcept {
    return m_ranks[row * m_keys + key];
  }
  [[nodiscard]] std::strong_ordering compare(std::size_t row, const auto& rankOfKey) const {
    for (std::size_t key = 0; key < m_keys; ++key)
      if (const auto order = at(row, key) <=> std::uint64_t{rankOfKey(key)}; order != 0)
        return order;
    return std::strong_ordering::equal;
  }
  /// Returns the first row of [first, last) for which `isBefore` is false.
  [[nodiscard]] static std::size_t partition(std::size_t first, std::size_t last,
                                             const auto& isBefore) {
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (isBefore(middle))
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }

  void sort(const std::vector<std::uint64_t>& ranks, const std::vector<std::size_t>& rows) {
    const auto row = [&](std::size_t number) {
      return std::span(ranks).subspan(number * m_keys, m_keys);
    };
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return std::ranges::lexicographical_compare(row(a), row(b));
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || !std::ranges::equal(row(order[i]), row(order[i - 1])))
        m_ranks.insert(m_ranks.end(), row(order[i]).begin(), row(order[i]).end());
      m_places[rows[order[i]]] = size() - 1;
    }
  }

  std::size_t m_keys;
  std::vector<std::uint64_t> m_ranks;
  std::vector<std::size_t> m_places;
};

/// Calls `use(row, entry)` for each entry that has the ranks of a wanted row, in the order of the
/// index. If `isEnough(entry)`, entries from this one on are not needed and may be skipped.
class KeySearch {
public:
  KeySearch(const Source& events, const EntryIndex& index, const WantedRows& wanted)
      : m_events(events), m_index(index), m_wanted(wanted), m_keys(*index.source, index.keys) {}

  void run(const auto& use, const auto& isEnough) {
    if (m_wanted.size() == 0)
      return;
    const auto clusters = m_index.source->clusters();
    for (const std::size_t number : m_keys.clustersWith(m_wanted.least(), m_wanted.greatest())) {
      const EntryRange cluster = clusters[number];
      if (!m_index.isSorted && isEnough(cluster.first))
        return;
      const auto [first, last] =
          m_wanted.within(m_keys.boundsOfCluster(number, m_wanted.keys()), 0, m_wanted.size());
      if (first == last ||
          (m_index.isSorted && isEnough(leastEntry(m_keys.boundsOfCluster(number, m_keys.size())))))
        continue;
      for (std::uint64_t row = cluster.first; row < cluster.last;) {
        const std::uint64_t end = m_keys.turnTo(row, cluster.last);
        const auto [from, to] = m_wanted.within(m_keys.bounds(m_wanted.keys()), first, last);
        if (from < to &&
            !isEnough(m_index.isSorted ? leastEntry(m_keys.bounds(m_keys.size())) : row))
          searchPiece({row, end}, from, to, use);
        row = end;
      }
    }
  }

private:
  /// Returns the least entry of sorted keys within bounds that cover the entry, too.
  [[nodiscard]] static std::uint64_t leastEntry(const KeyBounds& bounds) {
    return bounds.least.back();
  }

  void searchPiece(EntryRange piece, std::size_t from, std::size_t to, const auto& use) {
    const std::size_t keys = m_index.columns.size();
    m_ranks.resize(keys);
    for (std::size_t key = 0; key < keys; ++key)
      m_ranks[key] = m_keys.ranks(key).data();
    const std::uint64_t* entries = nullptr; // only for sorted keys
    const auto count = static_cast<std::size_t>(piece.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto rankOfKey = [&](std::size_t key) { return m_ranks[key][i]; };
      const std::size_t row = to - from > 1 ? m_wanted.find(from, to, rankOfKey)
                                            : (m_wanted.is(from, rankOfKey) ? from : nowhere);
      if (row == nowhere)
        continue;
      if (m_index.isSorted && !entries)
        entries = m_keys.ranks(keys).data();
      const std::uint64_t entry = entries ? entries[i] : piece.first + i;
      if (entry >= m_events.entries())
        fail(ErrorKind::corrupt, m_events.name(), ": its sorted keys lead to entry ", entry,
             ", but it has ", m_events.entries(), "; the file is damaged");
      use(row, entry);
    }
  }

  const Source& m_events;
  const EntryIndex& m_index;
  const WantedRows& m_wanted;
  KeyReader m_keys;
  std::vector<const std::uint64_t*> m_ranks; // of a piece
};

/// Converts one row of values to columns.
std::vector<KeyColumn> columnsOf(std::span<const Key> keys) {
  std::vector<KeyColumn> columns;
  columns.reserve(keys.size());
  for (const Key& key : keys)
    columns.push_back({key.name, {&key.value, 1}, key.bits});
  return columns;
}

EntryIndex indexFor(const Source& source, std::span<const KeyColumn> columns) {
  std::vector<std::string_view> names;
  names.reserve(columns.size());
  for (const KeyColumn& column : columns)
    names.push_back(column.name);
  return indexOf(source, names);
}

} // namespace

std::optional<std::uint64_t> find(const Source& source, std::span<const Key> keys) {
  const auto columns = columnsOf(keys);
  const EntryIndex index = indexFor(source, columns);
  std::optional<std::uint64_t> first;
  KeySearch(source, index, WantedRows(index, columns))
      .run(
          [&](std::size_t, std::uint64_t entry) { first = std::min(first.value_or(entry), entry); },
          [&](std::uint64_t entry) { return first && entry >= *first; });
  return first;
}

std::vector<std::uint64_t> findAll(const Source& source, std::span<const Key> keys) {
  const auto columns = columnsOf(keys);
  const EntryIndex index = indexFor(source, columns);
  std::vector<std::uint64_t> entries;
  KeySearch(source, index, WantedRows(index, columns))
      .run([&](std::size_t, std::uint64_t entry) { entries.push_back(entry); },
           [](std::uint64_t) { return false; });
  std::ranges::sort(entries);
  return entries;
}

std::vector<std::optional<std::uint64_t>> findEach(const Source& source,
                                                   std::span<const KeyColumn> keys) {
  const EntryIndex index = indexFor(source, keys);
  for (const KeyColumn& column : keys)
    if (column.values.size() != keys.front().values.size())
      fail(ErrorKind::usage, source.name(), ": keys need equally many values, but '",
           keys.front().name, "' has ", keys.front().values.size(), " and '", column.name, "' has ",
           column.values.size());
  const WantedRows wanted(index, keys);
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> first(wanted.size(), none);
  std::size_t left = wanted.size();
  std::uint64_t last = 0; // the greatest entry found
  KeySearch(source, index, wanted)
      .run(
          [&](std::size_t row, std::uint64_t entry) {
            left -= first[row] == none ? 1 : 0;
            first[row] = std::min(first[row], entry);
            last = std::max(last, first[row]);
          },
          [&](std::uint64_t entry) { return left == 0 && entry >= last; });
  std::vector<std::optional<std::uint64_t>> entries;
  entries.reserve(wanted.places().size());
  for (const std::size_t row : wanted.places())
    entries.push_back(row == nowhere || first[row] == none ? std::nullopt
                                                           : std::optional(first[row]));
  return entries;
}

} // namespace kaon::detail
