#pragma once

#include <kaon/model/Datatype.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// The names of subsets of a datatype, now and in earlier versions.
struct SubsetNames {
  explicit SubsetNames(const Datatype& objects) : name(subsetOf(objects.name)) {
    for (const std::string_view old : objects.oldNames)
      oldNames.push_back(subsetOf(old));
    oldViews.assign(oldNames.begin(), oldNames.end());
  }
  static std::string subsetOf(std::string_view name) {
    return std::string(subsetPrefix) + std::string(name) + ">";
  }
  std::string name;
  std::vector<std::string> oldNames;
  std::vector<std::string_view> oldViews;
};

/// Returns a description that points to all its arguments.
[[nodiscard]] inline Datatype describeSubset(const SubsetNames& names, const Relation& object,
                                             const ModelInfo* model) {
  return {.name = names.name,
          .description = "Objects of other collections",
          .rowSize = 0,
          .alignment = 1,
          .defaults = {},
          .leaves = {},
          .vectors = {},
          .relations = {&object, 1},
          .model = model,
          .oldNames = names.oldViews};
}
/// Returns the datatype of a subset collection of T, in memory and in files: one reference per
/// object.
template <class T>
[[nodiscard]] const Datatype& subsetDatatype() {
  static const detail::SubsetNames names(T::datatype());
  static const Relation object{"object", false, T::datatype().name, datatypesOf<T>,
                               "of another collection"};
  static const Datatype description = detail::describeSubset(names, object, T::datatype().model);
  return description;
}

/// As above, for objects whose datatype is only known at run time. It lives as long as the program;
/// so must `objects`. Any thread.
[[nodiscard]] const Datatype& subsetDatatype(const Datatype& objects);

[[nodiscard]] inline bool isSubset(const Datatype& type) {
  return type.name.starts_with(subsetPrefix);
}

} // namespace kaon::detail
