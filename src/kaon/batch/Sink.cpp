#include <kaon/batch/Sink.h>

#include <kaon/base/Error.h>

namespace kaon {

void Sink::appendCopy(std::string_view /*category*/, detail::EncodedBatch& /*batch*/) {
  fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
}

void Sink::addObject(std::string_view object, const ObjectTree& /*tree*/) {
  fail(ErrorKind::usage, name(), ": files of this format have no objects beside categories, so '",
       object, "' cannot be written; files of kaon and ROOT have them");
}

void Sink::sync() {
  fail(ErrorKind::usage, name(),
       ": files of this format cannot be read before they are finished, so their entries become "
       "durable only then; write a .kaon file, or use Sync::finish");
}

std::string Sink::copyObject(const ObjectStore& /*store*/, const StoredObject& /*object*/,
                             const ObjectTree* /*changed*/) {
  return "files of this format have no objects beside categories";
}

void Sink::addColumns(std::string_view category, std::string_view /*columns*/) {
  fail(ErrorKind::usage, name(), ": '", category, "' cannot get further columns; only trees of ",
       "ROOT files that exist already can");
}

} // namespace kaon
