#include <kaon/batch/Sink.h>

#include <kaon/base/Error.h>

namespace kaon {

void Sink::appendCopy(std::string_view /*category*/, detail::EncodedBatch& /*batch*/) {
  fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
}

void Sink::addObject(std::string_view object, const ObjectTree& /*tree*/) {
  fail(ErrorKind::usage, name(), ": files of this format have no objects beside categories, so '",
       object, "' cannot be written; ROOT files have them");
}

void Sink::sync() {
  fail(ErrorKind::usage, name(),
       ": files of this format cannot be read before they are finished, so their entries become "
       "durable only then; write a .kaon file, or use Sync::finish");
}

void Sink::copyObjects(std::span<const ObjectStore* const> /*stores*/) {}

} // namespace kaon
