#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/formats/arrow/ArraySource.h>
#include <kaon/detail/formats/arrow/Field.h>
#include <kaon/formats/arrow/CInterface.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kaon::arrow {

/// What a stream has, and in which pieces.
struct StreamOptions {
  EntryRange entries = {}; ///< cut to what there is
  FieldNesting nesting = FieldNesting::records;
  /// What the columns of a piece may take in memory. A piece is a cluster, or several small ones;
  /// what is larger is cut, between entries.
  std::size_t mostBytes = std::size_t{256} << 20;
};

/// The columns called so, or all that lie below a name; all there are if there is no name. Throws
/// Error(name) with a suggestion.
[[nodiscard]] std::vector<WantedColumn> columnsNamed(const Source& source,
                                                     const std::vector<std::string>& names);

/// Columns of a category as Arrow's C stream interface has them, for whoever understands it:
///
///   auto stream = kaon::arrow::streamOf(file, "events", {"Muon", "MET"});
///   auto table = arrow::ImportRecordBatchReader(&stream);
///
/// Each of the stream's arrays is some entries, decoded in the threads of the arena of whoever asks
/// for it, straight into the memory that the array keeps. It is a struct with a field for each
/// collection, parameter and value:
///
/// - numbers, arrays of fixed length, strings as what they are; std::optional as what may be null;
/// - a collection as a list of structs, dots in names of members as structs in them; what lies
///   under objects as lists, or structs, in these;
/// - a reference as a struct of `index`, -1 if it leads nowhere, and `collection`, its name, null
///   then;
/// - what an entry does not have is null.
///
/// Units and descriptions are metadata of the fields. The stream keeps the file open; its arrays
/// do not need it. The caller releases all of them. What goes wrong goes wrong again, see
/// ArraySource.h. Throws Error(name) for an unknown category or column.
[[nodiscard]] ArrowArrayStream streamOf(std::shared_ptr<const File> file, std::string_view category,
                                        const std::vector<std::string>& names = {},
                                        const StreamOptions& options = {});
/// Returns a stream of columns by their numbers in the schema. Throws Error(usage) for unknown
/// ones.
[[nodiscard]] ArrowArrayStream streamOf(std::shared_ptr<const File> file, const Source& source,
                                        const std::vector<WantedColumn>& columns,
                                        const StreamOptions& options = {});
/// What the stream of such columns has: an `entry` of entryField(), for streams that are made of
/// several. The options' nesting is the entry's already.
[[nodiscard]] std::unique_ptr<ArraySource> arraysOf(std::shared_ptr<const File> file,
                                                    const Source& source,
                                                    const std::vector<WantedColumn>& columns,
                                                    Field entry, const StreamOptions& options = {});

} // namespace kaon::arrow
