#include <kaon/formats/hdf5/PlainCategories.h>

#include <kaon/base/Error.h>
#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/formats/hdf5/DatasetReader.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

namespace kaon::hdf5 {
namespace {

// Bytes per row of a value that shares a group with others.
constexpr std::uint32_t mostInGroup = 64;

std::string_view leafOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view folderOf(std::string_view path) { return path.substr(0, path.rfind('/')); }

// The datasets of a vector of vectors: where the elements of each row end, and the elements.
constexpr std::string_view endsName = "cumulative_length", elementsName = "flattened_data";

/// Whether a group is a vector of vectors of numbers.
bool isLists(hid_t file, const Group& group, SourceBytes& bytes) {
  constexpr std::string_view lists = "array<1>{array<1>{";
  if (group.path.empty() ||
      group.datasets != std::vector<std::string>{std::string(endsName), std::string(elementsName)})
    return false;
  const Hdf5Handle object(H5Gopen2(file, group.path.c_str(), H5P_DEFAULT));
  const auto type = object.isOpen() ? textAttribute(object.get(), "datatype", bytes) : std::nullopt;
  return type && type->starts_with(lists);
}

/// Returns the length of the first dimension, or nothing for a dataset without dimensions. Throws
/// Error(type) with the reason for datasets that cannot be opened, such as those of later versions
/// of HDF5.
std::optional<std::uint64_t> rowsOf(hid_t file, const std::string& path) {
  const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
  if (!dataset.isOpen())
    fail(ErrorKind::type, "cannot be opened by this libhdf5: ", lastReason());
  const Hdf5Handle space(H5Dget_space(dataset.get()));
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  if (!space.isOpen() || H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE ||
      H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr) < 1)
    return std::nullopt;
  return shape[0];
}

/// Datasets of a group with the same number of rows, in order of their first dataset.
struct SameRows {
  std::uint64_t rows;
  std::vector<std::string> paths;
};

/// The type of datasets that could not be opened.
constexpr std::string_view unopened = "dataset that is not known";

/// `lists` are the names of groups in this one that are lists.
std::vector<SameRows> datasetsByRows(hid_t file, const Group& group,
                                     std::span<const std::string> lists,
                                     std::vector<Unreadable>& unreadable) {
  std::vector<SameRows> alike;
  for (const std::string& link : group.elsewhere)
    unreadable.push_back({link, "link", "leads to another place or file"});
  const auto add = [&](const std::string& name, std::string_view counted) {
    const std::string path = group.path + '/' + name;
    try {
      const auto rows = rowsOf(file, path + std::string(counted));
      const auto known =
          std::ranges::find_if(alike, [&](const SameRows& same) { return same.rows == rows; });
      if (!rows)
        unreadable.push_back({name, "dataset", "has a single value or no value instead of rows"});
      else if (known == alike.end())
        alike.push_back({*rows, {path}});
      else
        known->paths.push_back(path);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type)
        throw;
      unreadable.push_back({name, std::string(unopened), error.what()});
    }
  };
  for (const std::string& name : group.datasets)
    add(name, "");
  for (const std::string& name : lists)
    add(name, "/" + std::string(endsName));
  return alike;
}

std::string categoryName(const std::string& group, std::span<const Group> all) {
  if (!group.empty())
    return group.substr(1);
  return std::ranges::find(all, "/events", &Group::path) == all.end() ? "events" : "/";
}

/// Returns the first text among some attributes, which include common names of other programs.
std::string firstText(hid_t object, std::initializer_list<const char*> names, SourceBytes& file) {
  for (const char* const name : names)
    if (auto text = textAttribute(object, name, file); text && !text->empty())
      return std::move(*text);
  return "";
}

/// Assembles the tables of a category dataset by dataset.
class PlainTables {
public:
  explicit PlainTables(CategoryDatasets& contents) : m_contents(contents) {}

  /// Throws Error(type) with the reason if the dataset cannot become a table.
  void add(StoredDataset dataset) {
    if (dataset.variable)
      return addVariable(std::move(dataset));
    if (dataset.extent() > 1 && dataset.type.members.size() > 1)
      fail(ErrorKind::type, "has several records in a row");
    m_contents.schema.add(tableOf(dataset));
    DatasetOrigin origin{.rows = dataset.rows()};
    for (const ValueMember& member : dataset.type.members)
      origin.members.push_back(
          {number(),
           {member.offset, std::size_t{sizeOf(member.type)} * member.extent * dataset.extent()}});
    m_contents.tables.push_back(std::move(origin));
    addDataset(std::move(dataset));
  }

  /// Adds a vector of vectors: lists that each entry has.
  void addLists(hid_t file, const std::string& path) {
    const auto describe = [&](std::string_view name) {
      const std::string part = path + '/' + std::string(name);
      const Hdf5Handle dataset(H5Dopen2(file, part.c_str(), H5P_DEFAULT));
      if (!dataset.isOpen())
        fail(ErrorKind::type, "has no dataset '", name, "'");
      return describeDataset(dataset, part, m_contents.file->source());
    };
    StoredDataset ends = describe(endsName), elements = describe(elementsName);
    if (ends.shape.size() != 1 || elements.variable)
      fail(ErrorKind::type, "is not a vector of vectors of numbers");
    widenToUInt64(ends.type);
    const std::uint64_t rows =
        ends.rows() == 0 ? 0 : lastOf(ends, *m_contents.file, m_contents.name);
    if (rows > elements.rows())
      fail(ErrorKind::type, "has lists that end behind its ", elements.rows(), " values");
    const Hdf5Handle group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
    elements.path = path; // it names the column
    TableDefinition table = tableOf(elements);
    table.kind = TableKind::parameter;
    table.group.clear();
    if (table.description.empty())
      table.description = firstText(group.get(), {"description", "long_name"}, *m_contents.file);
    if (table.members.front().unit.empty())
      table.members.front().unit = firstText(group.get(), {"units", "unit"}, *m_contents.file);
    m_contents.schema.add(table);
    const std::uint64_t entries = ends.rows();
    DatasetOrigin origin{.offsets = number(), .hasEndsOnly = true, .rows = rows};
    addDataset(std::move(ends));
    origin.members.push_back({number(), {0, elements.rowBytes()}});
    m_contents.tables.push_back(std::move(origin));
    addDataset(std::move(elements));
    m_contents.entries = entries;
  }

private:
  /// Makes names unique by the suffix "_2", as in files that kaon writes. Dots in names of datasets
  /// can look like members of records.
  std::string unique(const std::string& above, const std::string& name) {
    std::string unique = name;
    for (std::size_t number = 2; !m_taken.insert(above + unique).second; ++number)
      unique = name + '_' + std::to_string(number);
    return unique;
  }

  TableDefinition tableOf(const StoredDataset& dataset) {
    TableDefinition table{.name = nameOf(dataset), .kind = TableKind::value};
    const hid_t object = dataset.handle.get();
    const std::string units = firstText(object, {"units", "unit"}, *m_contents.file);
    table.description = firstText(object, {"description", "long_name"}, *m_contents.file);
    const auto extent = static_cast<std::uint32_t>(dataset.extent());
    if (dataset.type.members.front().name.empty())
      table.type = kaon::nameOf(dataset.type.members.front().type);
    for (const ValueMember& member : dataset.type.members)
      table.members.push_back(
          {.name = member.name.empty() ? "" : unique(table.name + '.', member.name),
           .type = member.type,
           .extent = member.extent * extent,
           .offset = member.offset,
           .unit = units});
    table.rowSize = static_cast<std::uint32_t>(dataset.rowBytes());
    if (table.rowSize > mostInGroup)
      table.group = table.name;
    return table;
  }

  std::string nameOf(const StoredDataset& dataset) {
    const std::string leaf(leafOf(dataset.path));
    return dataset.member.empty() ? unique("", leaf)
                                  : leaf + '.' + unique(leaf + '.', dataset.member);
  }

  /// Strings become the characters of values. Lists become parameters that each entry has.
  void addVariable(StoredDataset dataset) {
    constexpr std::uint64_t usual = 64; // estimated elements in a row, for the width of pages
    if (dataset.extent() > 1)
      fail(ErrorKind::type, "has several strings or lists in a row");
    TableDefinition table = tableOf(dataset);
    const Scalar element = dataset.variable->element;
    table.members = {{.name = "", .type = element, .unit = table.members.front().unit}};
    table.rowSize = sizeOf(element);
    table.type = kaon::nameOf(element);
    DatasetOrigin origin{
        .variable = number(), .rows = dataset.rows() * usual, .members = {{number(), {}}}};
    if (dataset.variable->isText) {
      const TableDefinition value{.name = table.name,
                                  .kind = TableKind::value,
                                  .description = table.description,
                                  .group = table.name};
      table.parent = m_contents.schema.add(value);
      m_contents.tables.push_back({.rows = dataset.rows()});
      table.name += '.';
      table.kind = TableKind::vectorMember;
      table.type = "string";
      table.group.clear();
    } else {
      table.kind = TableKind::parameter;
      table.group.clear();
    }
    m_contents.schema.add(table);
    m_contents.tables.push_back(std::move(origin));
    addDataset(std::move(dataset));
  }

  [[nodiscard]] std::uint32_t number() const {
    return static_cast<std::uint32_t>(m_contents.datasets.size());
  }

  void addDataset(StoredDataset dataset) {
    m_contents.entries = dataset.rows();
    m_contents.datasets.push_back(std::move(dataset));
  }

  CategoryDatasets& m_contents;
  std::set<std::string> m_taken;
};

/// Adds a dataset or member. If it cannot be read, only it is left out.
template <class Add>
void addOrName(CategoryDatasets& contents, const std::string& name, const std::string& type,
               const Add& add) {
  try {
    add();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::type && error.kind() != ErrorKind::usage)
      throw;
    contents.unreadable.push_back({name, type, error.what()});
  }
}

} // namespace

std::vector<PlainCategory> plainCategories(hid_t file, std::span<const Group> groups,
                                           SourceBytes& bytes) {
  std::map<std::string_view, std::vector<std::string>> lists; // names of groups by their folder
  std::vector<bool> areLists(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (isLists(file, groups[i], bytes)) {
      areLists[i] = true;
      lists[folderOf(groups[i].path)].emplace_back(leafOf(groups[i].path));
    }
  std::vector<PlainCategory> categories;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    if (areLists[i])
      continue;
    std::vector<Unreadable> unreadable;
    std::vector<SameRows> alike = datasetsByRows(file, group, lists[group.path], unreadable);
    std::ranges::stable_sort(alike, std::ranges::greater(),
                             [](const SameRows& same) { return same.paths.size(); });
    PlainCategory main{categoryName(group.path, groups), {}, std::move(unreadable)};
    if (!alike.empty())
      main.paths = std::move(alike.front().paths);
    else if (std::ranges::find(main.unreadable, unopened, &Unreadable::type) ==
             main.unreadable.end())
      continue; // only single values or links
    categories.push_back(std::move(main));
    for (const SameRows& others : alike | std::views::drop(1))
      categories.push_back({others.paths.front().substr(1), others.paths, {}});
  }
  return categories;
}

CategoryDatasets contentsOf(const PlainCategory& category, hid_t file, SourceBytes& bytes) {
  CategoryDatasets contents;
  contents.file = &bytes;
  contents.name = bytes.source().name() + ':' + category.name;
  contents.unreadable = category.unreadable;
  PlainTables tables(contents);
  for (const std::string& path : category.paths) {
    const std::string name(leafOf(path));
    const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
    if (!dataset.isOpen() &&
        H5Lexists(file, (path + '/' + std::string(endsName)).c_str(), H5P_DEFAULT) > 0) {
      addOrName(contents, name, "vector of vectors", [&] { tables.addLists(file, path); });
      continue;
    }
    if (!dataset.isOpen()) {
      contents.unreadable.push_back({name, "dataset", "cannot be opened: " + lastReason()});
      continue;
    }
    const std::string type(className(Hdf5Handle(H5Dget_type(dataset.get())).get()));
    addOrName(contents, name, type, [&] {
      StoredParts described = describeParts(dataset, path, bytes.source());
      for (Unreadable& member : described.unreadable)
        contents.unreadable.push_back({name + '.' + member.name, member.type, member.reason});
      for (StoredDataset& part : described.parts) {
        const std::string label = part.member.empty() ? name : name + '.' + part.member;
        addOrName(contents, label, type, [&] { tables.add(std::move(part)); });
      }
    });
  }
  return contents;
}

} // namespace kaon::hdf5
