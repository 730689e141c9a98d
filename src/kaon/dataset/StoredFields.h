#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/formats/arrow/Field.h>

#include <vector>

namespace kaon {

/// Columns of a category and the struct of Arrow that its entries are by them.
struct StoredFields {
  std::vector<arrow::WantedColumn> columns = {};
  arrow::Field entry = {};
};

[[nodiscard]] StoredFields storedFields(const Source& source,
                                        std::vector<arrow::WantedColumn> columns);

/// Those of the first file of a dataset as a further one has them: under other numbers, but the
/// same struct. Throws Error(name) for what it lacks, Error(type) for what is of another type.
[[nodiscard]] StoredFields storedFields(const Source& source, const Source& first,
                                        const StoredFields& ofFirst);

} // namespace kaon
