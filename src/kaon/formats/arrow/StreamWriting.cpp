#include <kaon/formats/arrow/StreamWriting.h>

#include <kaon/base/Error.h>
#include <kaon/formats/arrow/StreamRows.h>
#include <kaon/formats/arrow/StreamTables.h>

namespace kaon::arrow {
namespace {

/// What has to be released, whatever happens.
template <class Struct>
struct Owned {
  Struct value{};
  Owned() = default;
  explicit Owned(const Struct& given) : value(given) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value.release)
      value.release(&value);
  }
};

void check(int code, ArrowArrayStream& stream) {
  if (code == 0)
    return;
  const char* const text = stream.get_last_error(&stream);
  fail(ErrorKind::io, "a stream breaks off: ", text ? text : "it does not say why");
}

} // namespace

void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out) {
  Owned<ArrowArrayStream> in(stream);
  if (!stream.release)
    fail(ErrorKind::usage, "the stream was released before");
  Owned<ArrowSchema> schema;
  check(in.value.get_schema(&in.value, &schema.value), in.value);
  StreamRows rows(tablesOf(schema.value));
  out.write(category, rows.emptyBatch()); // it may be the only one
  while (true) {
    Owned<ArrowArray> entries;
    check(in.value.get_next(&in.value, &entries.value), in.value);
    if (!entries.value.release)
      return;
    out.write(category, rows.batch(entries.value));
  }
}

void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out) {
  StreamRows rows(tablesOf(schema));
  out.write(category, rows.batch(entries));
}

} // namespace kaon::arrow
