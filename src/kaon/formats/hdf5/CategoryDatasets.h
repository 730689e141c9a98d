#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/StoredDataset.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// The place of the values of a member.
struct MemberOrigin {
  std::uint32_t dataset = 0; ///< number of a dataset with the same rows as the table
  RowPart part = {};
};

/// The place of the rows of a table.
struct DatasetOrigin {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t offsets = none;  ///< Counted tables: dataset with the start of rows.
  bool hasEndsOnly = false;      ///< `offsets` lacks the first number, 0.
  std::uint32_t variable = none; ///< Counted tables: or the dataset whose rows contain them.
  /// Dataset that tells which entries have the table; `none`: all have it.
  std::uint32_t presence = none;
  std::uint64_t rows = 0;
  std::vector<MemberOrigin> members = {};
};

/// A category: its tables, and the datasets with their values. All datasets agree with each other.
struct CategoryDatasets {
  SourceBytes* file = nullptr;
  std::string name; ///< for messages: "x.h5:events"
  Schema schema;
  std::uint64_t entries = 0;
  std::vector<StoredDataset> datasets = {};
  std::vector<DatasetOrigin> tables = {};
  std::vector<Unreadable> unreadable = {};
};

} // namespace kaon::hdf5
