#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/writing/BatchWriter.h>

#include <string_view>

namespace kaon::arrow {

/// Writes all entries of a stream, which is taken over and released, array by array, as batches of
/// a category:
///
///   auto out = kaon::batchWriter("table.kaon");
///   kaon::arrow::writeStream(stream, "events", out);
///   out.finish();
///
/// Numbers, strings and structs become values, lists of structs collections, other lists and bytes
/// parameters; dates, times and durations are whole numbers, decimals floats. Structs of
/// `index` and `collection` that have a `datatype`, as streamOf() makes them, become relations.
/// Lists and bytes that are null are absent, strings, and what is null in lists, empty, floats NaN;
/// units and descriptions are taken from the metadata. Throws Error(type) for types that files do
/// not have, Error(usage) for other numbers that are null and arrays that do not fit, Error(io)
/// where the stream breaks off, and as BatchWriter::write(); what came before then is written.
void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out);

/// Writes the entries of one array. The caller keeps the array and its schema.
void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out);

} // namespace kaon::arrow
