#include <kaon/formats/kaonfile/SortedKeysCheck.h>

#include <kaon/base/Hash.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/selecting/KeyReader.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace kaon::kaonfile {
namespace {

/// Calls `use(row)` with the ranks of each row, followed by its number unless the last key already
/// has it.
void forEachRow(const Source& source, std::vector<KeyLocator> places, bool hasEntries,
                const auto& use) {
  const std::size_t width = places.size();
  std::vector<std::uint64_t> row(width + (hasEntries ? 0 : 1));
  std::vector<const std::uint64_t*> ranks(width);
  KeyReader reader(source, std::move(places));
  for (std::uint64_t first = 0; first < source.entries();) {
    const std::uint64_t end = reader.turnTo(first, source.entries());
    for (std::size_t key = 0; key < width; ++key)
      ranks[key] = reader.ranks(key).data();
    for (std::uint64_t number = first; number < end; ++number) {
      row.back() = number;
      for (std::size_t key = 0; key < width; ++key)
        row[key] = ranks[key][number - first];
      use(std::span<const std::uint64_t>(row), number);
    }
    first = end;
  }
}

/// Adds a row to a sum that is independent of the order of rows. Different rows almost certainly
/// give different sums.
void addTo(std::uint64_t& sum, std::span<const std::uint64_t> row) {
  sum += checksum(std::as_bytes(row));
}

} // namespace

std::string mistakeIn(const Source& sorted, const Source& source) {
  std::vector<KeyLocator> keys = keysIn(sorted.schema()), there;
  for (const KeyLocator& key : keys) {
    const auto place = findKey(source.schema(), key.name);
    if (!place || place->type != key.type)
      return "the key '" + key.name + "' does not belong to its category";
    there.push_back(*place);
  }
  std::uint64_t sum = 0, expected = 0;
  forEachRow(source, std::move(there), false,
             [&](std::span<const std::uint64_t> row, std::uint64_t) { addTo(expected, row); });
  keys.push_back(*findKey(sorted.schema(), detail::entryOfKeys));
  const auto clusters = sorted.clusters();
  std::size_t cluster = 0;
  bool isInOrder = true;
  std::vector<std::uint64_t> last;
  forEachRow(sorted, std::move(keys), true,
             [&](std::span<const std::uint64_t> row, std::uint64_t number) {
               while (number >= clusters[cluster].last)
                 ++cluster;
               isInOrder = isInOrder && (number == clusters[cluster].first ||
                                         std::ranges::lexicographical_compare(last, row));
               last.assign(row.begin(), row.end());
               addTo(sum, row);
             });
  if (!isInOrder)
    return "its rows are not in order";
  return sum == expected ? "" : "they are not the keys of the entries";
}

} // namespace kaon::kaonfile
