#include "Module.h"

#include <kaon/event/Reader.h>
#include <kaon/formats/arrow/FieldSchema.h>
#include <kaon/formats/arrow/Stream.h>
#include <kaon/formats/arrow/StreamTables.h>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

// These capsules follow Arrow's PyCapsule interface, see
// https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

namespace kaon::python {
namespace {

/// Columns as Python passes them: the table, and the member unless the table has none.
using ColumnNumbers = std::vector<std::pair<std::uint32_t, std::optional<std::uint32_t>>>;

std::vector<arrow::WantedColumn> columnsOf(const ColumnNumbers& numbers) {
  std::vector<arrow::WantedColumn> columns;
  for (const auto& [table, member] : numbers)
    columns.emplace_back(table, member.value_or(arrow::noMember));
  return columns;
}

arrow::FieldNesting nestingOf(bool flat) {
  return flat ? arrow::FieldNesting::columns : arrow::FieldNesting::records;
}

/// Puts a struct with a release function into a capsule. A consumer takes the struct out; otherwise
/// the capsule releases it.
template <class Struct>
nb::capsule capsuleOf(const Struct& exported, const char* name) {
  auto owned = std::make_unique<Struct>(exported);
  return {owned.release(), name, [](void* pointer) noexcept {
            const std::unique_ptr<Struct> whole(static_cast<Struct*>(pointer));
            if (whole->release)
              whole->release(whole.get());
          }};
}

nb::capsule streamCapsule(const Category& category, const ColumnNumbers& columns,
                          std::uint64_t first, std::uint64_t last, bool flat,
                          std::size_t mostBytes) {
  return capsuleOf(arrow::streamOf(category.file(), category.source(), columnsOf(columns),
                                   {{first, last}, nestingOf(flat), mostBytes}),
                   "arrow_array_stream");
}

nb::capsule schemaCapsule(const Category& category, const ColumnNumbers& columns, bool flat) {
  const arrow::ArrowField entry =
      arrow::entryField(category.source().schema(), columnsOf(columns), nestingOf(flat));
  return capsuleOf(arrow::schemaOf(entry), "arrow_schema");
}

/// Returns the fields that files cannot store, by name, each with the reason.
std::map<std::string, std::string> refusedFields(const nb::object& table) {
  const nb::object capsule = table.attr("__arrow_c_schema__")();
  const auto* const schema =
      static_cast<const ArrowSchema*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_schema"));
  if (!schema)
    throw nb::python_error();
  return arrow::refusedFields(*schema);
}

} // namespace

void bindArrow(nb::module_& module) {
  module.def("arrow_stream", &streamCapsule, "category"_a, "columns"_a, "first"_a, "last"_a,
             "flat"_a, "most_bytes"_a,
             "Columns, by the numbers of tables and members, of the entries [first, last) as a\n"
             "stream of Arrow; if flat, each of them is a field.");
  module.def("arrow_schema", &schemaCapsule, "category"_a, "columns"_a, "flat"_a,
             "The type of the stream that arrow_stream() returns.");
  module.def("refused_fields", &refusedFields, "table"_a,
             "The reasons why fields of an Arrow table cannot be stored, by name.");
}

} // namespace kaon::python
