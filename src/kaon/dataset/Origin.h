#pragma once

#include <kaon/detail/dataset/Formula.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace kaon {

class Dataset;

// Columns of every dataset that tell where entries come from.

/// The number of an entry in the dataset: uint64. Entries are counted file by file.
inline constexpr std::string_view entryColumn = "dataset.entry";
/// The number of an entry in its file: uint64.
inline constexpr std::string_view fileEntryColumn = "dataset.fileEntry";
/// The number of an entry's sample: uint32.
inline constexpr std::string_view sampleColumn = "dataset.sample";
/// The weight of an entry's sample: float64.
inline constexpr std::string_view weightColumn = "dataset.weight";

[[nodiscard]] detail::Formula entryNumbers();
[[nodiscard]] detail::Formula numbersInFile();
[[nodiscard]] detail::Formula sampleNumbers();
[[nodiscard]] detail::Formula sampleWeights(std::shared_ptr<const Dataset> dataset);

/// Returns whether an entry's number in the dataset is in a range. Clusters outside are not read.
[[nodiscard]] detail::Formula isInRange(EntryRange range);
/// Returns whether an entry belongs to a sample. Files of other samples are not read.
[[nodiscard]] detail::Formula isOfSample(std::size_t sample);

} // namespace kaon
