#include <kaon/formats/arrow/StreamArrays.h>

#include <kaon/formats/arrow/StreamField.h>

#include <utility>

namespace kaon::arrow {

StreamArrays::StreamArrays(const ArrowArrayStream& stream, ErrorKind failure)
    : m_stream(stream), m_failure(failure) {
  if (!stream.release)
    fail(ErrorKind::usage, "the stream was released before");
  check(m_stream.get()->get_schema(m_stream.get(), m_type.get()));
  checkEntries(type());
}

const ArrowArray* StreamArrays::next() {
  m_array.release();
  check(m_stream.get()->get_next(m_stream.get(), m_array.get()));
  return m_array.get()->release ? m_array.get() : nullptr;
}

std::vector<OwnedArrow<ArrowArray>> StreamArrays::rest() {
  std::vector<OwnedArrow<ArrowArray>> arrays;
  while (next())
    arrays.push_back(std::move(m_array));
  return arrays;
}

void StreamArrays::check(int code) {
  if (code == 0)
    return;
  const char* const text = m_stream.get()->get_last_error(m_stream.get());
  fail(m_failure, "the stream of entries failed: ", text ? text : "it does not say why");
}

void checkEntries(const ArrowSchema& type) {
  if (!isRecord(type))
    fail(ErrorKind::usage,
         "a stream of entries must have structs, as tables have, not Arrow's type '", type.format,
         "': give columns by name");
}

} // namespace kaon::arrow
