#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/formats/arrow/ArraySource.h>
#include <kaon/detail/formats/arrow/ArrowField.h>
#include <kaon/formats/arrow/CInterface.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kaon::arrow {

/// The entries of a stream, and the size of its arrays.
struct StreamOptions {
  EntryRange entries = {}; ///< entries beyond the end are ignored
  FieldNesting nesting = FieldNesting::records;
  /// The limit for the memory of an array, in bytes. An array has a cluster, or several small ones.
  /// Larger clusters are divided between entries; an array has at least one entry.
  std::size_t mostBytes = std::size_t{256} << 20;
};

/// Returns the columns with these names, and all columns below the names; all columns of the source
/// if `names` is empty. Throws Error(name), with a suggestion, for unknown names.
[[nodiscard]] std::vector<WantedColumn> columnsNamed(const Source& source,
                                                     const std::vector<std::string>& names);

/// Returns columns of a category as a stream of Arrow's C interface, for any library that reads it:
///
///   auto stream = kaon::arrow::streamOf(file, "events", {"Muon", "MET"});
///   auto table = arrow::ImportRecordBatchReader(&stream);
///
/// Each array of the stream has some entries, as structs with a field for each collection,
/// parameter and value. The caller of get_next() decodes them in the threads of its TBB arena,
/// directly into the memory of the array. The types are:
///
/// - Numbers, arrays of fixed length and strings keep their types.
/// - Optionals are nullable.
/// - Collections are lists of structs. Dots in names of members become structs inside these.
/// - Tables under objects are lists or structs in the objects' structs.
/// - References are structs of `index` and `collection`, the name of the collection. If a reference
///   is empty, the index is -1 and the name is null.
/// - Collections and parameters that an entry lacks are null.
///
/// Metadata of the fields have units and descriptions. The stream keeps the file open; its arrays
/// do not need it. The caller releases the stream and the arrays. After an error, the next call
/// tries the same entries again: see ArraySource.h. Throws Error(name) for an unknown category or
/// column.
[[nodiscard]] ArrowArrayStream streamOf(std::shared_ptr<const File> file, std::string_view category,
                                        const std::vector<std::string>& names = {},
                                        const StreamOptions& options = {});
/// Returns a stream of columns, given by their numbers in the schema. Throws Error(usage) for
/// unknown numbers.
[[nodiscard]] ArrowArrayStream streamOf(std::shared_ptr<const File> file, const Source& source,
                                        const std::vector<WantedColumn>& columns,
                                        const StreamOptions& options = {});
/// Returns the arrays of a stream of columns, for streams that combine several files. `entry` is
/// the result of entryField(), which decides on the nesting; the nesting in `options` is ignored.
[[nodiscard]] std::unique_ptr<ArraySource> arraysOf(std::shared_ptr<const File> file,
                                                    const Source& source,
                                                    const std::vector<WantedColumn>& columns,
                                                    ArrowField entry,
                                                    const StreamOptions& options = {});

} // namespace kaon::arrow
