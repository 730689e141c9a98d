#include <kaon/detail/object/Subset.h>

#include <kaon/base/Lasting.h>

#include <map>
#include <memory>
#include <mutex>

namespace kaon::detail {
namespace {

/// The description of a subset, with the names and relation that it points to.
struct SubsetDescription {
  explicit SubsetDescription(const Datatype& objects) : names(objects), target(&objects) {
    relation = {"object", false, objects.name, {&target, 1}, "of another collection"};
    datatype = detail::describeSubset(names, relation, objects.model);
  }
  SubsetDescription(const SubsetDescription&) = delete;
  SubsetDescription& operator=(const SubsetDescription&) = delete;

  detail::SubsetNames names;
  DatatypeFunction target;
  Relation relation;
  Datatype datatype;
};

} // namespace

const Datatype& subsetDatatype(const Datatype& objects) {
  static std::mutex mutex;
  static Lasting<std::map<const Datatype*, std::unique_ptr<const SubsetDescription>>> all;
  const std::lock_guard lock(mutex);
  auto& description = (*all)[&objects];
  if (!description)
    description = std::make_unique<const SubsetDescription>(objects);
  return description->datatype;
}

} // namespace kaon::detail
