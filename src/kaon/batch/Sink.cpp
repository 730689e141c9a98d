#include <kaon/batch/Sink.h>

#include <kaon/base/Error.h>

namespace kaon {

void Sink::appendCopy(std::string_view /*category*/, detail::EncodedBatch& /*batch*/) {
  fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
}

} // namespace kaon
