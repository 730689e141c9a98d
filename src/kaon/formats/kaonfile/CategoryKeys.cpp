#include <kaon/formats/kaonfile/CategoryKeys.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/selecting/KeyReader.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Passes rows to a sorter. Entry numbers are the last key, or else the rows' own numbers.
void readRows(const Source& source, std::vector<KeyLocator> places, bool hasEntries,
              std::uint64_t firstRow, KeySorter& sorter) {
  const std::size_t width = places.size();
  KeyReader reader(source, std::move(places));
  KeyColumns rows(width + (hasEntries ? 0 : 1));
  for (std::uint64_t row = firstRow; row < source.entries();) {
    const std::uint64_t end = reader.turnTo(row, source.entries());
    for (std::size_t key = 0; key < width; ++key) {
      const auto ranks = reader.ranks(key);
      rows[key].assign(ranks.begin(), ranks.end());
    }
    if (!hasEntries) {
      rows.back().resize(static_cast<std::size_t>(end - row));
      std::iota(rows.back().begin(), rows.back().end(), row);
    }
    sorter.add(rows);
    row = end;
  }
}

} // namespace

BatchKeys keysOf(const Batch& batch, std::span<const KeyLocator> places) {
  BatchKeys keys;
  const Schema& schema = batch.schema();
  for (const KeyLocator& place : places) {
    auto& ranks = keys.ranks.emplace_back();
    const bool isThere = place.table < schema.size();
    const bool isCounted = !isThere || schema.table(place.table).isCounted();
    if (isThere && isCounted) {
      const auto offsets = batch.table(place.table).offsets;
      if (const auto wrong = entryWithoutOne(offsets))
        keys.misfit = {place.name, *wrong, offsets[*wrong + 1] - offsets[*wrong]};
    }
    if (keys.misfit)
      return keys;
    if (!isThere)
      continue;
    ranks.resize(batch.entries());
    ranksOf(place.type, batch.table(place.table).members[place.member], ranks);
  }
  return keys;
}

bool CategoryKeys::takeKnown(const Schema& sorted, const Schema& category) {
  for (const KeyLocator& key : keysIn(sorted)) {
    const auto place = findKey(category, key.name);
    if (!place || place->type != key.type) {
      turnOff();
      return false;
    }
    m_places.push_back(*place);
  }
  if (m_places.empty())
    turnOff();
  return !m_isOff;
}

std::vector<KeyLocator> keyPlaces(const Schema& category, std::span<const std::string> names,
                                  const std::string& file) {
  std::vector<KeyLocator> places;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(places, name, &KeyLocator::name) != places.end())
      return;
    auto place = findKey(category, name);
    if (place && name == detail::entryOfKeys)
      fail(ErrorKind::usage, file, ": '", name, "' cannot be a key: it has a meaning of its own");
    if (place)
      places.push_back(std::move(*place));
  };
  for (const std::string& name : names)
    add(name);
  for (const Table& table : category.tables())
    if (has(table.use, TableUse::key))
      add(table.name);
  return places;
}

void CategoryKeys::find(const Schema& category, const std::string& file) {
  if (m_isOff)
    return;
  for (KeyLocator& place : keyPlaces(category, m_names, file))
    if (std::ranges::find(m_places, place.name, &KeyLocator::name) == m_places.end())
      m_places.push_back(std::move(place));
}

KeyColumns CategoryKeys::pieceOf(const BatchKeys& batch, const Schema& category, std::size_t first,
                                 std::size_t count, std::uint64_t firstEntry) const {
  KeyColumns rows;
  for (std::size_t key = 0; key < m_places.size(); ++key) {
    const KeyLocator& place = m_places[key];
    if (key < batch.ranks.size() && !batch.ranks[key].empty()) {
      const auto ranks = std::span(batch.ranks[key]).subspan(first, count);
      rows.emplace_back(ranks.begin(), ranks.end());
      continue;
    }
    const std::uint64_t missing = category.table(place.table).members[place.member].missing;
    rows.emplace_back(count, rankOf(place.type, detail::bytesAt(&missing)));
  }
  rows.emplace_back(count);
  std::iota(rows.back().begin(), rows.back().end(), firstEntry + first);
  return rows;
}

KeyBatch::KeyBatch(const Schema& sorted, const KeyColumns& rows)
    : m_values(sorted.size()), m_batch(sorted, 0, rows.front().size()) {
  std::size_t key = 0;
  for (std::uint32_t number = 0; number < sorted.size(); ++number) {
    const Table table = sorted.table(number);
    const auto& ranks = table.name == detail::entryOfKeys ? rows.back() : rows[key++];
    std::byte* const values = m_values[number].assign(ranks.size() * table.rowSize).data();
    valuesOf(table.members[0].type, ranks, values);
    m_batch.table(number).rows = ranks.size();
    m_batch.table(number).members.push_back({values, table.rowSize});
  }
}

void readKeys(const Source& source, std::span<const KeyLocator> places, KeySorter& sorter) {
  readRows(source, {places.begin(), places.end()}, false, 0, sorter);
}

void readSortedKeys(const Source& sorted, std::uint64_t firstRow, KeySorter& sorter) {
  std::vector<KeyLocator> places = keysIn(sorted.schema());
  places.push_back(*findKey(sorted.schema(), detail::entryOfKeys));
  readRows(sorted, std::move(places), true, firstRow, sorter);
}

} // namespace kaon::kaonfile
