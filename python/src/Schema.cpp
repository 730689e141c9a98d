#include "Module.h"
#include "Names.h"

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/model/Schema.h>
#include <kaon/model/TuplePlace.h>

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

std::optional<std::uint32_t> parentOf(const TableDefinition& table) {
  return table.parent == Table::none ? std::nullopt : std::optional(table.parent);
}

/// Returns an empty table of the same kind, to query the properties of the kind.
Table ofKind(const TableDefinition& table) {
  return {"", table.kind, table.layout, "", table.parent, 0, {nullptr, 0, nullptr}, "", ""};
}

void makeMember(MemberDefinition* self, std::string name, std::string_view type,
                std::uint32_t extent, std::uint32_t offset, std::string unit,
                std::string description, std::uint64_t missing, std::string structure,
                std::size_t listsBefore) {
  new (self) MemberDefinition{std::move(name),
                              scalarNamed(type),
                              extent,
                              offset,
                              std::move(unit),
                              std::move(description),
                              {},
                              missing,
                              std::move(structure),
                              detail::countOfLists(listsBefore)};
}

void makeTable(TableDefinition* self, std::string name, TableKind kind, std::string type,
               std::vector<MemberDefinition> members, std::uint32_t rowSize,
               std::optional<std::uint32_t> parent, std::string description) {
  new (self) TableDefinition{.name = std::move(name),
                             .kind = kind,
                             .type = std::move(type),
                             .parent = parent.value_or(Table::none),
                             .rowSize = rowSize,
                             .members = std::move(members),
                             .description = std::move(description)};
}

/// Returns a suggestion for a name; empty if the name is no text. The caller reports the unknown
/// name.
std::string suggestionFor(nb::handle name, const std::vector<std::string>& known) {
  std::string text;
  return nb::try_cast(name, text) ? suggestion(text, known) : "";
}

void bindMember(nb::module_& module) {
  nb::class_<Precision>(module, "Precision", "The precision to which floats are stored.")
      .def_static("mantissa", &mantissaBits, "bits"_a, "So many bits of the mantissa.")
      .def_static("steps", &stepsOf, "low"_a, "high"_a, "step"_a,
                  "Steps from `low` to the one nearest to `high`.")
      .def_static("range", &detail::bitsIn, "low"_a, "high"_a, "bits"_a,
                  "2^bits steps from `low` to `high`.")
      .def_ro("bits", &Precision::bits)
      .def_prop_ro("step",
                   [](const Precision& self) {
                     return self.kind == Precision::Kind::range ? std::optional(self.step)
                                                                : std::nullopt;
                   })
      .def_ro("low", &Precision::low)
      .def_prop_ro("high", &Precision::high)
      .def_ro("last", &Precision::last, "The number of the last step.")
      .def(nb::self == nb::self);

  nb::class_<MemberDefinition>(module, "Member",
                               "A scalar, or an array of fixed length, in each row.")
      .def("__init__", &makeMember, "name"_a, "type"_a, "extent"_a = 1, "offset"_a = 0,
           "unit"_a = "", "description"_a = "", "missing"_a = 0, "structure"_a = "",
           "lists_before"_a = 0)
      .def_ro("name", &MemberDefinition::name)
      .def_prop_ro("type", [](const MemberDefinition& self) { return nameOf(self.type); })
      .def_ro("extent", &MemberDefinition::extent)
      .def_ro("offset", &MemberDefinition::offset)
      .def_prop_ro("size", &MemberDefinition::size)
      .def_ro("unit", &MemberDefinition::unit)
      .def_ro("description", &MemberDefinition::description)
      .def_ro("missing", &MemberDefinition::missing,
              "The bytes, as a number, of each value in entries from before there was the member.")
      .def_ro("structure", &MemberDefinition::structure,
              "How the parts of its name nest: see kaon/model/Structure.h.")
      .def_ro("lists_before", &MemberDefinition::listsBefore,
              "The number of tables under its table that come before it in the source.")
      .def_prop_ro("precision",
                   [](const MemberDefinition& self) {
                     return self.precision.kind == Precision::Kind::exact
                                ? std::nullopt
                                : std::optional(self.precision);
                   })
      .def(nb::self == nb::self);
}

} // namespace

void bindSchema(nb::module_& module) {
  module.def("suggestion", &suggestionFor, "name"_a, "known"_a,
             "\" (did you mean 'x'?)\" with the known name nearest to `name`, or nothing.");
  module.def("with_article", &withArticle, "noun"_a,
             "The noun with its article: \"an int32\", \"a list\".");
  module.def(
      "counted",
      [](std::int64_t number, std::string_view one, std::string_view many) {
        return counted(number, one, many);
      },
      "number"_a, "one"_a, "many"_a = "",
      "A number with its noun, such as \"1 key\" or \"1,000 keys\".");
  module.def("escape_controls", &escapeControls, "text"_a,
             "A message without control characters, for tests of `printable_message`.");
  module.def("place_in_tuple", &placeInTuple, "name"_a,
             "The place of a part of a pair or tuple by its name; None for other names.");

  nb::enum_<TableKind>(module, "TableKind", "The kinds of rows of tables.")
      .value("collection", TableKind::collection)
      .value("vectorMember", TableKind::vectorMember)
      .value("oneRelation", TableKind::oneRelation)
      .value("manyRelation", TableKind::manyRelation)
      .value("parameter", TableKind::parameter)
      .value("text", TableKind::text)
      .value("value", TableKind::value)
      .value("decoration", TableKind::decoration);

  bindMember(module);
  nb::class_<TableDefinition>(module, "Table",
                              "Rows of one struct type, under entries or under rows.")
      .def("__init__", &makeTable, "name"_a, "kind"_a, "type"_a, "members"_a, "row_size"_a,
           "parent"_a = nb::none(), "description"_a = "")
      .def_ro("name", &TableDefinition::name)
      .def_ro("kind", &TableDefinition::kind)
      .def_prop_ro("layout", [](const TableDefinition& self) { return layoutName(self.layout); })
      .def_ro("group", &TableDefinition::group)
      .def_prop_ro("is_tag",
                   [](const TableDefinition& self) { return has(self.use, TableUse::tag); })
      .def_prop_ro("is_key",
                   [](const TableDefinition& self) { return has(self.use, TableUse::key); })
      .def_ro("type", &TableDefinition::type)
      .def_prop_ro("parent", &parentOf)
      .def_ro("row_size", &TableDefinition::rowSize)
      .def_ro("members", &TableDefinition::members)
      .def_ro("description", &TableDefinition::description)
      .def_prop_ro("is_counted",
                   [](const TableDefinition& self) { return ofKind(self).isCounted(); })
      .def_prop_ro("can_be_absent",
                   [](const TableDefinition& self) { return ofKind(self).canBeAbsent(); })
      .def(nb::self == nb::self);
}

} // namespace kaon::python
