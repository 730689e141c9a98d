#include <kaon/object/HandleJson.h>

#include <kaon/base/Joined.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/object/CollectionData.h>
#include <kaon/detail/object/Subset.h>
#include <kaon/object/Collection.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kaon::detail {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class T>
OrderedJson numberAs(const std::byte* bytes) {
  return loadAs<T>(bytes);
}

OrderedJson number(Scalar type, const std::byte* bytes) {
  using Read = OrderedJson (*)(const std::byte*);
  constexpr Read read[scalarKinds] = {
      numberAs<bool>,          numberAs<std::int8_t>,   numberAs<std::uint8_t>,
      numberAs<std::int16_t>,  numberAs<std::uint16_t>, numberAs<std::int32_t>,
      numberAs<std::uint32_t>, numberAs<std::int64_t>,  numberAs<std::uint64_t>,
      numberAs<float>,         numberAs<double>};
  return read[static_cast<std::size_t>(type)](bytes);
}

OrderedJson leafJson(const Leaf& leaf, const std::byte* bytes) {
  if (leaf.extent == 1)
    return number(leaf.type, bytes);
  OrderedJson values = OrderedJson::array();
  for (std::uint32_t i = 0; i < leaf.extent; ++i)
    values.push_back(number(leaf.type, bytes + i * sizeOf(leaf.type)));
  return values;
}

/// Returns the values of the leaves of a struct, whose first leaf is column number `first`.
OrderedJson leavesJson(const CollectionData& data, std::span<const Leaf> leaves,
                       std::uint32_t first, std::size_t row) {
  OrderedJson values = OrderedJson::object();
  for (const Leaf& leaf : leaves) {
    OrderedJson value = leafJson(leaf, data.at(first++, row));
    if (leaf.name.empty()) // of a list of numbers
      return value;
    std::string path = joined("/", leaf.name); // "position.x", "points.0.x"
    std::ranges::replace(path, '.', '/');
    values[OrderedJson::json_pointer(path)] = std::move(value);
  }
  return values;
}

OrderedJson listJson(const CollectionData& data, const VectorMember& member,
                     const ObjectLayout::List& list, std::uint32_t level, Slice slice) {
  OrderedJson values = OrderedJson::array();
  for (std::size_t i = slice.begin; i < slice.end; ++i) {
    const std::uint32_t column = list.first + level;
    if (level < member.depth)
      values.push_back(listJson(data, member, list, level + 1, data.value<Slice>(column, i)));
    else if (member.holdsStrings())
      values.push_back(data.string(column, i));
    else
      values.push_back(leavesJson(data, member.leaves, column, i));
  }
  return values;
}

OrderedJson idJson(const ObjectID& id) {
  return {{"index", id.index}, {"collectionID", id.collectionID}};
}

OrderedJson idJson(ObjectLocator place) { return idJson(idOf(place)); }

OrderedJson objectJson(ObjectLocator object) {
  if (!object)
    return nullptr;
  const CollectionData& data = *object.data;
  const Datatype& type = data.type();
  OrderedJson values = leavesJson(data, type.leaves, 0, object.row);
  for (std::uint32_t i = 0; i < type.vectors.size(); ++i) {
    const VectorMember& member = type.vectors[i];
    const ObjectLayout::List& list = data.layout().vectorMember(i);
    const Slice slice = data.slice(list, object.row);
    values[std::string(member.name)] = member.isString() ? OrderedJson(data.text(list.first, slice))
                                                         : listJson(data, member, list, 0, slice);
  }
  for (std::uint32_t i = 0; i < type.relations.size(); ++i) {
    OrderedJson& targets = values[std::string(type.relations[i].name)];
    if (!type.relations[i].many) {
      targets = idJson(data.follow(i, data.layout().ones[i].first, object.row));
      continue;
    }
    targets = OrderedJson::array();
    const ObjectLayout::List& list = data.layout().manyRelation(i);
    const Slice slice = data.slice(list, object.row);
    for (std::size_t k = slice.begin; k < slice.end; ++k)
      targets.push_back(idJson(data.follow(i, list.first, k)));
  }
  return values;
}

std::string textOf(const OrderedJson& json) {
  // Text that is not UTF-8 gets replacement characters, as JSON cannot hold it.
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace

std::string jsonOf(const Handle& object) { return textOf(objectJson(object.place())); }

std::string jsonOf(const CollectionBase& collection) {
  const CollectionData& data = collection.data();
  OrderedJson objects = OrderedJson::array();
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint32_t row = data.rowOf(i);
    if (collection.isSubsetCollection())
      objects.push_back(idJson(data.follow(0, data.layout().ones[0].first, row)));
    else if (data.type().leaves.size() == 1 && data.type().leaves[0].name.empty())
      objects.push_back(number(data.type().leaves[0].type, data.at(0, row)));
    else
      objects.push_back(objectJson({const_cast<CollectionData*>(&data), row}));
  }
  return textOf(objects);
}

std::string jsonOf(const ObjectID& id) { return textOf(idJson(id)); }

} // namespace kaon::detail
