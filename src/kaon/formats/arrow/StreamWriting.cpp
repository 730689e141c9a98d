#include <kaon/formats/arrow/StreamWriting.h>

#include <kaon/base/Error.h>
#include <kaon/formats/arrow/EntryColumns.h>
#include <kaon/formats/arrow/MarkedType.h>
#include <kaon/formats/arrow/StreamArrays.h>
#include <kaon/formats/arrow/StreamRows.h>
#include <kaon/formats/arrow/StreamTables.h>

#include <cstdint>
#include <vector>

namespace kaon::arrow {
namespace {

/// Returns the rows of a stream without a model. Each field has one table under the entries.
StreamRows rowsOf(const ArrowSchema& type) {
  checkEntries(type);
  const Schema tables = tablesOf(type);
  std::vector<PlannedField> fields;
  for (TableNumber table = 0; table < tables.size(); ++table)
    if (tables.table(table).isRoot())
      fields.push_back({type.children[fields.size()], table});
  return StreamRows(columnsOf(tables, {}, fields));
}

} // namespace

std::vector<FieldPath> fieldsWithNulls(ArrowArrayStream stream) {
  StreamArrays arrays(stream, ErrorKind::io);
  MarkedType marked(arrays.type());
  while (const ArrowArray* const entries = arrays.next())
    marked.mark(*entries, EntryForm::stream);
  return marked.marked();
}

void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out,
                 const std::vector<FieldPath>& optionals) {
  StreamArrays arrays(stream, ErrorKind::io);
  MarkedType marked(arrays.type());
  for (const FieldPath& path : optionals)
    marked.mark(path);
  const ArrowArray* entries = arrays.next();
  if (entries)
    marked.mark(*entries, EntryForm::stream);
  StreamRows rows = rowsOf(marked.type());
  if (!entries)
    return out.write(category, rows.emptyBatch()); // a stream without arrays still makes a category
  for (; entries; entries = arrays.next())
    out.write(category, rows.batch(*entries));
}

void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out) {
  StreamRows rows = rowsOf(schema);
  out.write(category, rows.batch(entries));
}

} // namespace kaon::arrow
