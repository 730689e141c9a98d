#pragma once

#include <kaon/detail/dataset/Formula.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace kaon {

class Dataset;

// Columns that every dataset has beside those of its files: where entries come from.

/// The number of an entry in the dataset: uint64. The entries of one file go behind those of the
/// file before.
inline constexpr std::string_view entryColumn = "dataset.entry";
/// The number of an entry in its file: uint64.
inline constexpr std::string_view fileEntryColumn = "dataset.fileEntry";
/// The number of its sample: uint32.
inline constexpr std::string_view sampleColumn = "dataset.sample";
/// The weight of its sample: float64.
inline constexpr std::string_view weightColumn = "dataset.weight";

[[nodiscard]] detail::Formula entryNumbers();
[[nodiscard]] detail::Formula numbersInFile();
[[nodiscard]] detail::Formula sampleNumbers();
[[nodiscard]] detail::Formula sampleWeights(std::shared_ptr<const Dataset> dataset);

/// Whether an entry's number in the dataset is in a range. Nothing is read of others.
[[nodiscard]] detail::Formula isInRange(EntryRange range);
/// Whether an entry is of a sample. Nothing is read of others.
[[nodiscard]] detail::Formula isOfSample(std::size_t sample);

} // namespace kaon
