#include "Module.h"

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/model/Schema.h>

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

Scalar scalarNamed(std::string_view name) {
  for (std::size_t i = 0; i < scalarKinds; ++i)
    if (nameOf(static_cast<Scalar>(i)) == name)
      return static_cast<Scalar>(i);
  fail(ErrorKind::type, "kaon has no values of the type ", name);
}

std::optional<std::uint32_t> parentOf(const Table& table) {
  return table.isRoot() ? std::nullopt : std::optional(table.parent);
}

void makeMember(Member* self, std::string name, std::string_view type, std::uint32_t extent,
                std::uint32_t offset, std::string unit, std::string description) {
  new (self) Member{std::move(name), scalarNamed(type), extent,
                    offset,          std::move(unit),   std::move(description)};
}

void makeTable(Table* self, std::string name, TableKind kind, std::string type,
               std::vector<Member> members, std::uint32_t rowSize,
               std::optional<std::uint32_t> parent, std::string_view layout,
               std::string description) {
  new (self) Table{.name = std::move(name),
                   .kind = kind,
                   .layout = layoutNamed(layout),
                   .type = std::move(type),
                   .parent = parent.value_or(Table::none),
                   .rowSize = rowSize,
                   .members = std::move(members),
                   .description = std::move(description)};
}

} // namespace

void bindSchema(nb::module_& module) {
  module.def("suggestion", &suggestion, "name"_a, "known"_a,
             "\" (did you mean 'x'?)\" with the known name nearest to `name`, or nothing.");

  module.def(
      "check_layout", [](std::string_view name) { (void)layoutNamed(name); }, "name"_a,
      "Raises UnknownNameError if no layout is called so.");

  nb::enum_<TableKind>(module, "TableKind", "What the rows of a table are.")
      .value("collection", TableKind::collection)
      .value("vectorMember", TableKind::vectorMember)
      .value("oneRelation", TableKind::oneRelation)
      .value("manyRelation", TableKind::manyRelation)
      .value("parameter", TableKind::parameter)
      .value("text", TableKind::text)
      .value("value", TableKind::value);

  nb::class_<Member>(module, "Member", "A scalar, or an array of fixed length, in each row.")
      .def("__init__", &makeMember, "name"_a, "type"_a, "extent"_a = 1, "offset"_a = 0,
           "unit"_a = "", "description"_a = "")
      .def_ro("name", &Member::name)
      .def_prop_ro("type", [](const Member& member) { return nameOf(member.type); })
      .def_ro("extent", &Member::extent)
      .def_ro("offset", &Member::offset)
      .def_prop_ro("size", &Member::size)
      .def_ro("unit", &Member::unit)
      .def_ro("description", &Member::description)
      .def(nb::self == nb::self);

  nb::class_<Table>(module, "Table", "Rows of one struct type, under entries or under rows.")
      .def("__init__", &makeTable, "name"_a, "kind"_a, "type"_a, "members"_a, "row_size"_a,
           "parent"_a = nb::none(), "layout"_a = "split", "description"_a = "")
      .def_ro("name", &Table::name)
      .def_ro("kind", &Table::kind)
      .def_prop_ro("layout", [](const Table& table) { return layoutName(table.layout); })
      .def_ro("type", &Table::type)
      .def_prop_ro("parent", &parentOf)
      .def_ro("row_size", &Table::rowSize)
      .def_ro("members", &Table::members)
      .def_ro("description", &Table::description)
      .def_prop_ro("is_counted", &Table::isCounted)
      .def_prop_ro("can_be_absent", &Table::canBeAbsent)
      .def(nb::self == nb::self);
}

} // namespace kaon::python
