#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <vector>

// The sorted keys of the category `events` are the category `events#keys`: a row for each entry,
// with its keys and its number, in clusters of which each is in order. docs/format.md tells more.

namespace kaon::store {

/// Rows of a cluster of sorted keys, but for the last of those that were sorted together; and of
/// its pages: so that looking something up reads a few kilobytes.
inline constexpr std::uint32_t keyClusterRows = 64 * 1024;
inline constexpr std::uint32_t keyPageRows = 1024;

/// The keys that are sorted, in the order in which they are compared; without the entry's number.
/// Nothing if the tables are not those of sorted keys.
[[nodiscard]] std::vector<KeyPlace> keysIn(const Schema& sorted);
/// Adds the tables of further keys of a category to those of its sorted keys.
void addKeys(Schema& sorted, const Schema& category, std::span<const KeyPlace> keys);

/// Whether the sorted keys are those of all entries: else they are of no use.
[[nodiscard]] bool isWhole(const CategoryContents& sorted, const CategoryContents& category);

/// Forgets the clusters from that one on which begins at the entry.
void dropClusters(CategoryContents& category, std::uint64_t firstEntry);

} // namespace kaon::store
