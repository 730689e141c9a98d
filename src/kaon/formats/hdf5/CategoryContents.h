#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/StoredDataset.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// Where the values of a member lie.
struct MemberOrigin {
  std::uint32_t dataset = 0; ///< the number of a dataset with a row for each of the table's
  RowPart part = {};
};

/// Where the rows of a table lie.
struct TableOrigin {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t offsets = none;  ///< of a counted table: the dataset that says where rows begin; or
  std::uint32_t variable = none; ///< of another counted table: the dataset whose rows its are in
  std::uint32_t presence = none; ///< the dataset that says which entries have it; none: all do
  std::uint64_t rows = 0;
  std::vector<MemberOrigin> members = {};
};

/// A category: its tables, and the datasets in which they are. All its datasets fit together.
struct CategoryContents {
  SourceBytes* file = nullptr;
  std::string name; ///< for messages: "x.h5:events"
  Schema schema;
  std::uint64_t entries = 0;
  std::vector<StoredDataset> datasets = {};
  std::vector<TableOrigin> tables = {};
  std::vector<Unreadable> unreadable = {};
};

} // namespace kaon::hdf5
