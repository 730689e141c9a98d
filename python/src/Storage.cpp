#include "Module.h"

#include <kaon/base/Error.h>
#include <kaon/codec/CompressionLevels.h>
#include <kaon/codec/Encoding.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/StorageRules.h>
#include <kaon/writing/OptionNames.h>
#include <kaon/writing/WriterOptions.h>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

using Tables = std::vector<TableDefinition>;

std::optional<Layout> optionalLayout(std::optional<std::string_view> name) {
  return name ? std::optional(layoutNamed(*name)) : std::nullopt;
}

void makeStorage(Storage* self, std::optional<std::string_view> layout,
                 std::optional<std::string> group, std::map<std::string, Precision> precision) {
  new (self)
      Storage{optionalLayout(layout), std::move(group), {precision.begin(), precision.end()}};
}

void makeArrangement(detail::StorageRules* self, std::optional<std::string_view> layout,
                     std::map<std::string, Storage> storage, const std::vector<std::string>& tags,
                     const std::vector<std::string>& keys) {
  detail::StorageRules rules{.all = {.layout = optionalLayout(layout)},
                             .storage = {storage.begin(), storage.end()}};
  for (const std::string& tag : tags)
    rules.uses[tag] = rules.uses[tag] | TableUse::tag;
  for (const std::string& key : keys)
    rules.uses[key] = rules.uses[key] | TableUse::key;
  new (self) detail::StorageRules(std::move(rules));
}

void makeOptions(WriterOptions* self, std::string_view codec, int level,
                 std::optional<std::string_view> layout, std::map<std::string, Storage> storage,
                 const std::map<std::string, std::string>& encodings, std::string_view goal,
                 std::size_t clusterBytes, std::uint32_t clusterEntries, std::size_t pageBytes,
                 std::size_t memoryBudget, std::vector<std::string> tags,
                 std::vector<std::string> keys, std::string format, std::string_view sync) {
  WriterOptions options{.codec = {codecNamed(codec), level},
                        .layout = optionalLayout(layout),
                        .storage = {storage.begin(), storage.end()},
                        .goal = goalNamed(goal),
                        .clusterBytes = clusterBytes,
                        .clusterEntries = clusterEntries,
                        .pageBytes = pageBytes,
                        .memoryBudget = memoryBudget,
                        .tags = std::move(tags),
                        .keys = std::move(keys),
                        .sync = syncNamed(sync),
                        .format = std::move(format)};
  for (const auto& [column, encoding] : encodings)
    options.encodings.emplace(column, codec::schemeNamed(encoding));
  new (self) WriterOptions(std::move(options));
}

/// Lays out tables. Tables below the first one give its future number as their parent.
Tables arranged(const detail::StorageRules& rules, Tables tables) {
  if (tables.empty())
    fail(ErrorKind::usage, "there is no table to arrange");
  rules.apply(tables);
  return tables;
}

/// Returns the names in layout options that no category has, each with its warning.
std::vector<std::pair<std::string, std::string>>
unusedNames(WriterOptions options, const std::vector<Tables>& categories) {
  options.encodings.clear(); // the writer itself checks these
  OptionNames written;
  for (const Tables& tables : categories) {
    Schema schema;
    for (const TableDefinition& table : tables)
      schema.add(table);
    written.add(schema);
  }
  std::vector<std::pair<std::string, std::string>> unused;
  for (const OptionNames::Unknown& unknown : written.unknownIn(options))
    unused.emplace_back(unknown.name, unknown.warning());
  return unused;
}

} // namespace

void bindStorage(nb::module_& module) {
  module.def(
      "check_level",
      [](std::string_view codec, int level) {
        checkLevel({codecNamed(codec), level});
      },
      "codec"_a, "level"_a);
  nb::class_<Storage>(module, "Storage", "How a collection is to lie in a file.")
      .def("__init__", &makeStorage, "layout"_a = nb::none(), "group"_a = nb::none(),
           "precision"_a = nb::dict());

  nb::class_<WriterOptions>(module, "WriterOptions", "How a file is to be written.")
      .def("__init__", &makeOptions, "codec"_a, "level"_a, "layout"_a.none(), "storage"_a,
           "encodings"_a, "goal"_a, "cluster_bytes"_a, "cluster_entries"_a, "page_bytes"_a,
           "memory_budget"_a, "tags"_a, "keys"_a, "format"_a, "sync"_a);
  module.def(
      "unused_names", &unusedNames, "options"_a, "categories"_a,
      "The names in the options `storage`, `tags` and `keys` that no category's tables have, "
      "each with\nits message.");
  nb::class_<detail::StorageRules>(module, "Arrangement",
                                   "The layout that a writer gives to tables.")
      .def("__init__", &makeArrangement, "layout"_a = nb::none(), "storage"_a = nb::dict(),
           "tags"_a = nb::list(), "keys"_a = nb::list())
      .def("arranged", &arranged, "tables"_a,
           "The tables of a collection, parameter or value as they are to lie.");
}

} // namespace kaon::python
