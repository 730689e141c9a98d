#include <kaon/batch/Sink.h>

#include <kaon/base/Error.h>

namespace kaon {

void Sink::appendCopy(std::string_view /*category*/, detail::EncodedBatch& /*batch*/) {
  fail(ErrorKind::usage, name(), ": batches that another file encoded cannot be appended to it");
}

} // namespace kaon
