#include <kaon/object/Print.h>

#include <kaon/base/Joined.h>
#include <kaon/detail/model/StructLeaves.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {
namespace {

/// Returns the names of an object's printed values, with units.
std::vector<std::string> headings(const Datatype& type) {
  std::vector<std::string> all;
  for (const Leaf& leaf : type.leaves)
    all.push_back(
        joined(leaf.name, leaf.unit.empty() ? "" : " [", leaf.unit, leaf.unit.empty() ? "" : "]"));
  for (const VectorMember& vector : type.vectors)
    all.push_back(joined(vector.isString() ? "" : "#", vector.name));
  for (const Relation& relation : type.relations)
    all.push_back(joined(relation.many ? "#" : "", relation.name));
  return all;
}

std::string leafText(const detail::CollectionData& data, std::uint32_t leaf, std::size_t row) {
  std::ostringstream text;
  detail::printLeaf(text, data.type().leaves[leaf], data.at(leaf, row));
  return text.str();
}

std::string relationText(const detail::CollectionData& data, std::uint32_t relation,
                         std::size_t row) {
  const Relation& info = data.type().relations[relation];
  if (info.many) {
    const detail::Slice slice = data.slice(data.layout().manyRelation(relation), row);
    return std::to_string(slice.end - slice.begin);
  }
  const detail::ObjectLocator target =
      data.follow(relation, data.layout().ones[relation].first, row);
  if (!target)
    return "-";
  if (target.data->id() == detail::CollectionData::untracked)
    return std::to_string(target.index());
  return std::to_string(target.data->id()) + ":" + std::to_string(target.index());
}

/// Returns the texts of an object, in the order of the headings.
std::vector<std::string> cells(const detail::CollectionData& data, std::size_t row) {
  const Datatype& type = data.type();
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < type.leaves.size(); ++i)
    all.push_back(leafText(data, i, row));
  for (std::uint32_t i = 0; i < type.vectors.size(); ++i) {
    const detail::ObjectLayout::List& list = data.layout().vectorMember(i);
    const detail::Slice slice = data.slice(list, row);
    all.push_back(type.vectors[i].isString() ? std::string(data.text(list.first, slice))
                                             : std::to_string(slice.end - slice.begin));
  }
  for (std::uint32_t i = 0; i < type.relations.size(); ++i)
    all.push_back(relationText(data, i, row));
  return all;
}

} // namespace

namespace {

bool holdsBareValues(const Datatype& type) {
  return type.leaves.size() == 1 && type.leaves[0].name.empty();
}

void printBareValues(std::ostream& out, const detail::CollectionData& data) {
  out << '[';
  for (std::size_t i = 0; i < data.size(); ++i)
    out << (i > 0 ? ", " : "") << leafText(data, 0, data.rowOf(i));
  out << ']';
}

} // namespace

void printCollection(std::ostream& out, const detail::CollectionData& data) {
  if (holdsBareValues(data.type()))
    return printBareValues(out, data);
  std::vector<std::vector<std::string>> rows{headings(data.type())};
  rows.front().insert(rows.front().begin(), "index");
  for (std::size_t i = 0; i < data.size(); ++i) {
    rows.push_back(cells(data, data.rowOf(i)));
    rows.back().insert(rows.back().begin(), std::to_string(i));
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out << (i > 0 ? "  " : "") << std::string(widths[i] - row[i].size(), ' ') << row[i];
    out << '\n';
  }
}

void printObject(std::ostream& out, detail::ObjectLocator object) {
  if (!object) {
    out << "[not available]";
    return;
  }
  const Datatype& type = object.data->type();
  const auto names = headings(type);
  const auto texts = cells(*object.data, object.row);
  std::size_t width = 0;
  for (const std::string& name : names)
    width = std::max(width, name.size());
  out << type.name << '\n';
  for (std::size_t i = 0; i < names.size(); ++i)
    out << "  " << names[i] << std::string(width - names[i].size() + 2, ' ') << texts[i] << '\n';
}

} // namespace kaon
