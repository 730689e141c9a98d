#include "Module.h"

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/model/MemberLine.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/ModelMatch.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

/// A leaf that both versions have.
struct LeafPair {
  std::string path, before;
  std::string_view type, typeBefore;
};

struct ComparedType {
  std::string name, before;
  std::vector<MemberChange> changes;
  std::vector<LeafPair> leaves;
};

std::string_view nameOf(MemberChange::Kind kind) {
  constexpr std::string_view names[] = {"renamed", "optional now", "required now", "added",
                                        "dropped", "failed",       "reordered"};
  return names[static_cast<std::size_t>(kind)];
}

void addPairs(ComparedType& compared, const std::vector<LeafMatch>& matches,
              std::span<const Leaf> leaves, std::span<const Leaf> before,
              std::string_view list = {}, std::string_view listBefore = {}) {
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (const std::uint32_t leaf = matches[i].leaf; leaf != LeafMatch::none)
      compared.leaves.push_back({dotted(list, leaves[i].name),
                                 dotted(listBefore, before[leaf].name),
                                 kaon::nameOf(leaves[i].type), kaon::nameOf(before[leaf].type)});
}

ComparedType compare(const Datatype& before, const Datatype& now) {
  TypeMatch matched = match(contentsOf(before), contentsOf(now), now);
  ComparedType compared{
      std::string(now.name), std::string(before.name), std::move(matched.changes), {}};
  addPairs(compared, matched.leaves, now.leaves, before.leaves);
  for (std::size_t i = 0; i < now.vectors.size(); ++i)
    if (const ListMatch& list = matched.lists[i]; list.list != LeafMatch::none) {
      const VectorMember& then = before.vectors[list.list];
      addPairs(compared, list.leaves, now.vectors[i].leaves, then.leaves, now.vectors[i].name,
               then.name);
    }
  return compared;
}

const Datatype& datatypeOf(const ModelDatatypes& model, const std::string& name) {
  const Datatype* const type = model.find(name);
  if (!type)
    throw Error(ErrorKind::corrupt, model.mistake(name));
  return *type;
}

/// Compares the datatypes that both versions have, including renamed ones.
std::vector<ComparedType> compareModels(const std::string& before, const std::string& now) {
  const ModelDatatypes old({{"the older model", before}});
  const ModelDatatypes model({{"the newer model", now}});
  const std::vector<std::string> known = old.names();
  std::vector<ComparedType> compared;
  for (const std::string& name : model.names()) {
    const Datatype& type = datatypeOf(model, name);
    std::vector<std::string_view> names{type.name};
    std::ranges::copy(type.oldNames, std::back_inserter(names));
    const auto then = std::ranges::find_if(names, [&](std::string_view each) {
      return std::ranges::find(known, each) != known.end();
    });
    if (then != names.end())
      compared.push_back(compare(datatypeOf(old, std::string(*then)), type));
  }
  return compared;
}

} // namespace

void bindModelMatch(nb::module_& module) {
  nb::class_<MemberChange>(module, "MemberChange", "A difference between two versions of a member.")
      .def_prop_ro("kind", [](const MemberChange& self) { return nameOf(self.kind); })
      .def_ro("path", &MemberChange::path, "Its path now; of a dropped member, its path then.")
      .def_ro("before", &MemberChange::before)
      .def_ro("text", &MemberChange::text,
              "Of one that fails, in words; of one that was added or dropped, its type.");
  nb::class_<LeafPair>(module, "LeafPair", "A number, or array of numbers, in both versions.")
      .def_ro("path", &LeafPair::path)
      .def_ro("before", &LeafPair::before)
      .def_ro("type", &LeafPair::type)
      .def_ro("type_before", &LeafPair::typeBefore);
  nb::class_<ComparedType>(module, "ComparedType", "A datatype that two versions of a model have.")
      .def_ro("name", &ComparedType::name)
      .def_ro("before", &ComparedType::before)
      .def_ro("changes", &ComparedType::changes)
      .def_ro("leaves", &ComparedType::leaves);
  module.def("compare_models", &compareModels, "before"_a, "now"_a,
             "How data of an older model are read with a newer one. Both are JSON.");
  module.def(
      "member_of_line", [](std::string_view line) { return memberOfLine(line, "the line").text(); },
      "line"_a,
      "The JSON of a member as podio's definitions write it, for tests of the generator.");
}

} // namespace kaon::python
