#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/formats/arrow/ArrowField.h>

#include <vector>

namespace kaon {

/// Columns of a category, and the Arrow struct of an entry with these columns.
struct StoredFields {
  std::vector<arrow::WantedColumn> columns = {};
  arrow::ArrowField entry = {};
};

[[nodiscard]] StoredFields storedFields(const Source& source,
                                        std::vector<arrow::WantedColumn> columns);

/// Finds the columns of the first file in another file. Table numbers may differ; the struct is
/// equal. Throws Error(name) for missing columns, Error(type) for columns of other types.
[[nodiscard]] StoredFields storedFields(const Source& source, const Source& first,
                                        const StoredFields& ofFirst);

} // namespace kaon
