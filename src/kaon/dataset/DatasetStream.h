#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/detail/formats/arrow/CInterface.h>

#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// A selection of a dataset's columns and entries.
struct DatasetQuery {
  /// Names as in arrow::columnsNamed(), or expressions. Empty: all stored columns.
  std::vector<std::string> columns = {};
  std::string cut = {};    ///< an expression that selects entries; empty: all entries
  EntryRange entries = {}; ///< numbers in the dataset; may exceed its end
};

/// Returns entries of a dataset as an Arrow C stream, as arrow::streamOf() does for one file.
/// Computed fields follow stored fields and have their expression as name. Throws Error(name) for
/// unknown columns, and the errors of Dataframe for expressions.
[[nodiscard]] ArrowArrayStream streamOf(std::shared_ptr<const Dataset> dataset,
                                        const DatasetQuery& query);

} // namespace kaon
