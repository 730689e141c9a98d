#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/formats/arrow/CInterface.h>

#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// What is wanted of a dataset's entries.
struct DatasetQuery {
  /// Names as in arrow::columnsNamed(), or else expressions; none are all that is stored.
  std::vector<std::string> columns = {};
  std::string cut = {};    ///< an expression: those for which it is true; empty: all entries
  EntryRange entries = {}; ///< by their numbers in the dataset, cut to what there is
};

/// Entries of a dataset as Arrow's C stream interface has them, as arrow::streamOf() does for one
/// file. What is computed comes behind what is stored, each a field called by its expression.
/// Throws Error(name) for unknown columns, and as Dataframe does for expressions.
[[nodiscard]] ArrowArrayStream streamOf(std::shared_ptr<const Dataset> dataset,
                                        const DatasetQuery& query);

} // namespace kaon
