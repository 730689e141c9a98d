#include <kaon/formats/hdf5/PlainCategories.h>

#include <kaon/base/Error.h>
#include <kaon/formats/hdf5/Attributes.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::uint32_t mostInGroup = 64; // bytes in a row of a value that shares its pages

std::string_view leafOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The length of the first dimension; nothing for what has none. Throws Error(type) with the reason
/// where the dataset cannot be opened, as one of a later version of HDF5.
std::optional<std::uint64_t> rowsOf(hid_t file, const std::string& path) {
  const Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
  if (!dataset.isOpen())
    fail(ErrorKind::type, "cannot be opened by this libhdf5: ", lastReason());
  const Handle space(H5Dget_space(dataset.get()));
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  if (!space.isOpen() || H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE ||
      H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr) < 1)
    return std::nullopt;
  return shape[0];
}

/// Datasets of a group with the same number of rows, in the order of the first of each.
struct SameRows {
  std::uint64_t rows;
  std::vector<std::string> paths;
};

/// What could not be opened is of a type that is not known.
constexpr std::string_view unopened = "dataset that is not known";

std::vector<SameRows> datasetsByRows(hid_t file, const Group& group,
                                     std::vector<Unreadable>& unreadable) {
  std::vector<SameRows> alike;
  for (const std::string& link : group.elsewhere)
    unreadable.push_back({link, "link", "leads to another place or file"});
  for (const std::string& name : group.datasets) {
    const std::string path = group.path + '/' + name;
    try {
      const auto rows = rowsOf(file, path);
      const auto known =
          std::ranges::find_if(alike, [&](const SameRows& same) { return same.rows == rows; });
      if (!rows)
        unreadable.push_back({name, "dataset", "has no rows, but a single value or none"});
      else if (known == alike.end())
        alike.push_back({*rows, {path}});
      else
        known->paths.push_back(path);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type)
        throw;
      unreadable.push_back({name, std::string(unopened), error.what()});
    }
  }
  return alike;
}

std::string categoryName(const std::string& group, std::span<const Group> all) {
  if (!group.empty())
    return group.substr(1);
  return std::ranges::find(all, "/events", &Group::path) == all.end() ? "events" : "/";
}

/// Texts, and what describes a dataset by other names that are in use.
std::string firstText(hid_t object, std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (auto text = textAttribute(object, name); text && !text->empty())
      return std::move(*text);
  return "";
}

TableDefinition tableOf(const StoredDataset& dataset) {
  TableDefinition table{.name = std::string(leafOf(dataset.path)), .kind = TableKind::value};
  const std::string units = firstText(dataset.handle.get(), {"units", "unit"});
  table.description = firstText(dataset.handle.get(), {"description", "long_name"});
  const auto extent = static_cast<std::uint32_t>(dataset.extent());
  if (dataset.type.members.front().name.empty())
    table.type = nameOf(dataset.type.members.front().type);
  for (const ValueMember& member : dataset.type.members)
    table.members.push_back({.name = member.name,
                             .type = member.type,
                             .extent = member.extent * extent,
                             .offset = member.offset,
                             .unit = units});
  table.rowSize = static_cast<std::uint32_t>(dataset.rowBytes());
  if (table.rowSize > mostInGroup)
    table.group = table.name;
  return table;
}

/// Strings are the characters of values; lists are as parameters are, which each entry has.
void addVariable(CategoryContents& contents, StoredDataset dataset) {
  constexpr std::uint64_t usual = 64; // elements of a row, for how many are read at once
  if (dataset.extent() > 1)
    fail(ErrorKind::type, "has several strings or lists in a row");
  TableDefinition table = tableOf(dataset);
  const Scalar element = dataset.variable->element;
  table.members = {{.name = "", .type = element, .unit = table.members.front().unit}};
  table.rowSize = sizeOf(element);
  table.type = nameOf(element);
  TableOrigin origin{.variable = static_cast<std::uint32_t>(contents.datasets.size()),
                     .rows = dataset.rows() * usual,
                     .members = {{static_cast<std::uint32_t>(contents.datasets.size()), {}}}};
  if (dataset.variable->isText) {
    const TableDefinition value{.name = table.name,
                                .kind = TableKind::value,
                                .description = table.description,
                                .group = table.name};
    table.parent = contents.schema.add(value);
    contents.tables.push_back({.rows = dataset.rows()});
    table.name += '.';
    table.kind = TableKind::vectorMember;
    table.type = "string";
    table.group.clear();
  } else {
    table.kind = TableKind::parameter;
    table.group.clear();
  }
  contents.schema.add(table);
  contents.tables.push_back(std::move(origin));
  contents.entries = dataset.rows();
  contents.datasets.push_back(std::move(dataset));
}

/// Adds a dataset's table. Throws Error(type) with the reason where that cannot be.
void addDataset(CategoryContents& contents, StoredDataset dataset) {
  if (dataset.variable)
    return addVariable(contents, std::move(dataset));
  if (dataset.extent() > 1 && dataset.type.members.size() > 1)
    fail(ErrorKind::type, "has several records in a row");
  contents.schema.add(tableOf(dataset));
  TableOrigin origin{.rows = dataset.rows()};
  for (const ValueMember& member : dataset.type.members)
    origin.members.push_back(
        {static_cast<std::uint32_t>(contents.datasets.size()),
         {member.offset, std::size_t{sizeOf(member.type)} * member.extent * dataset.extent()}});
  contents.entries = dataset.rows();
  contents.tables.push_back(std::move(origin));
  contents.datasets.push_back(std::move(dataset));
}

} // namespace

std::vector<PlainCategory> plainCategories(hid_t file, std::span<const Group> groups) {
  std::vector<PlainCategory> categories;
  for (const Group& group : groups) {
    std::vector<Unreadable> unreadable;
    std::vector<SameRows> alike = datasetsByRows(file, group, unreadable);
    std::ranges::stable_sort(alike, std::ranges::greater(),
                             [](const SameRows& same) { return same.paths.size(); });
    PlainCategory main{categoryName(group.path, groups), {}, std::move(unreadable)};
    if (!alike.empty())
      main.paths = std::move(alike.front().paths);
    else if (std::ranges::find(main.unreadable, unopened, &Unreadable::type) ==
             main.unreadable.end())
      continue; // single values, or links
    categories.push_back(std::move(main));
    for (std::size_t i = 1; i < alike.size(); ++i)
      categories.push_back({alike[i].paths.front().substr(1), alike[i].paths, {}});
  }
  return categories;
}

CategoryContents contentsOf(const PlainCategory& category, hid_t file, SourceBytes& bytes) {
  CategoryContents contents;
  contents.file = &bytes;
  contents.name = bytes.source().name() + ':' + category.name;
  contents.unreadable = category.unreadable;
  for (const std::string& path : category.paths) {
    const std::string name(leafOf(path));
    Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
    if (!dataset.isOpen()) {
      contents.unreadable.push_back({name, "dataset", "cannot be opened: " + lastReason()});
      continue;
    }
    std::string type(className(Handle(H5Dget_type(dataset.get())).get()));
    try {
      addDataset(contents, describeDataset(std::move(dataset), path, bytes.source()));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type && error.kind() != ErrorKind::usage)
        throw;
      contents.unreadable.push_back({name, std::move(type), error.what()});
    }
  }
  return contents;
}

} // namespace kaon::hdf5
