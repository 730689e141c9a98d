#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/writing/BatchWriter.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::arrow {

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
