#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/formats/arrow/ArraySource.h>
#include <kaon/detail/formats/arrow/ArrowField.h>
#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/writing/BatchWriter.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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
/// tries the same entries again. Throws Error(name) for an unknown category or column.
///
/// If get_schema() or get_next() fails, get_last_error() returns the message. The functions then
/// return ENOENT for missing files, EBADMSG for damage, ENOTSUP for formats that this version of
/// kaon does not read, ENOMEM, EIO, or else EINVAL.
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

/// The place of a field in the type of a stream: the numbers of the children that lead to it.
using FieldPath = std::vector<std::uint32_t>;

/// Returns the fields that have nulls somewhere in a stream and would be optionals in a file. Reads
/// and releases the stream. Throws Error(io) if the stream fails, and Error(usage) for arrays that
/// do not match their type.
[[nodiscard]] std::vector<FieldPath> fieldsWithNulls(ArrowArrayStream stream);

/// Writes all entries of a stream as batches of a category, array by array. Releases the stream:
///
///   auto out = kaon::batchWriter("table.kaon");
///   kaon::arrow::writeStream(stream, "events", out);
///   out.finish();
///
/// - Numbers, strings and structs become values.
/// - Lists of structs become collections; other lists, and bytes, become parameters.
/// - Dates, times and durations become integers, decimals become floats.
/// - Structs of `index` and `collection` with a `datatype`, as streamOf() returns them, become
///   relations.
/// - Null floats become NaN. Null lists and bytes become absent, unless they lie in other values.
/// - Other fields with nulls in the first array become optionals, and so do the fields `optionals`.
/// - Units and descriptions come from the metadata of the fields.
///
/// Throws Error(type) for types that files do not have. Throws Error(usage) for other nulls, and
/// for arrays that do not match their type. Throws Error(io) if the stream fails. Also throws as
/// BatchWriter::write() does. Arrays before the error are written.
void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out,
                 const std::vector<FieldPath>& optionals = {});

/// Writes the entries of one array. The caller keeps the array and its schema. Fields are optionals
/// only if their type says so, because all arrays of a category have the same tables: nullable, and
/// with the structure "?" in their metadata. Throws Error(usage) for nulls in other fields, except
/// those that are NaN or absent.
void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out);

} // namespace kaon::arrow
