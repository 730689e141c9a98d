#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/writing/BatchWriter.h>

#include <string_view>

namespace kaon::arrow {

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
/// - Null lists and bytes become absent. Null strings, and nulls in lists, become empty.
/// - Null floats become NaN.
/// - Units and descriptions come from the metadata of the fields.
///
/// Throws Error(type) for types that files do not have. Throws Error(usage) for other null numbers,
/// and for arrays that do not match their type. Throws Error(io) if the stream fails. Also throws
/// as BatchWriter::write() does. Arrays before the error are written.
void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out);

/// Writes the entries of one array. The caller keeps the array and its schema.
void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out);

} // namespace kaon::arrow
