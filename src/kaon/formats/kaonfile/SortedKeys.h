#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <vector>

// The sorted keys of the category `events` are the category `events#keys`. It has a row for each
// entry, with its keys and its number. Each of its clusters is sorted. See docs/format.md.

namespace kaon::kaonfile {

/// The rows of a cluster of sorted keys, and of its pages. Looking up a key thus reads a few
/// kilobytes. The last cluster of rows sorted together may be shorter.
inline constexpr std::uint32_t keyClusterRows = 64 * 1024;
inline constexpr std::uint32_t keyPageRows = 1024;

/// Returns the sorted keys in the order of comparison, without the entry's number. Empty if these
/// are not tables of sorted keys.
[[nodiscard]] std::vector<KeyLocator> keysIn(const Schema& sorted);
/// Adds the tables of further keys of a category to its sorted keys.
void addKeys(Schema& sorted, const Schema& category, std::span<const KeyLocator> keys);

/// Returns whether the sorted keys cover all entries; else they are useless.
[[nodiscard]] bool isWhole(const CategoryContents& sorted, const CategoryContents& category);

/// Removes the clusters from the one that begins at `firstEntry`.
void dropClusters(CategoryContents& category, std::uint64_t firstEntry);

} // namespace kaon::kaonfile
