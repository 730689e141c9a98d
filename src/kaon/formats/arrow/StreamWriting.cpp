#include <kaon/formats/arrow/StreamWriting.h>

#include <kaon/base/Error.h>
#include <kaon/formats/arrow/Owned.h>
#include <kaon/formats/arrow/StreamRows.h>
#include <kaon/formats/arrow/StreamTables.h>

namespace kaon::arrow {
namespace {

void check(int code, ArrowArrayStream* stream) {
  if (code == 0)
    return;
  const char* const text = stream->get_last_error(stream);
  fail(ErrorKind::io, "a stream breaks off: ", text ? text : "it does not say why");
}

} // namespace

void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out) {
  Owned<ArrowArrayStream> owned(stream);
  if (!stream.release)
    fail(ErrorKind::usage, "the stream was released before");
  ArrowArrayStream* const in = owned.get();
  Owned<ArrowSchema> schema;
  check(in->get_schema(in, schema.get()), in);
  StreamRows rows(tablesOf(*schema.get()));
  out.write(category, rows.emptyBatch()); // it may be the only one
  while (true) {
    Owned<ArrowArray> entries;
    check(in->get_next(in, entries.get()), in);
    if (!entries.get()->release)
      return;
    out.write(category, rows.batch(*entries.get()));
  }
}

void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out) {
  StreamRows rows(tablesOf(schema));
  out.write(category, rows.batch(entries));
}

} // namespace kaon::arrow
