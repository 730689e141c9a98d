#include <kaon/formats/sio/podio/CollectionForm.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace kaon::sio::podio {
namespace {

std::uint32_t offsetOf(const StructLayout& layout, std::string_view name, Scalar type,
                       std::uint32_t extent) {
  const auto leaf = std::ranges::find(layout.leaves, name, &StructLayout::Leaf::name);
  if (leaf == layout.leaves.end() || leaf->type != type || leaf->extent != extent)
    fail(ErrorKind::version, "its struct lacks '", name,
         "', or has it with another type than the datatype");
  return leaf->offset;
}

/// Returns the place of the start and end of an object's rows in a list.
std::uint32_t sliceOf(const StructLayout& layout, const std::string& list) {
  return offsetOf(layout, list + "_begin", Scalar::UInt32, 1);
}

std::vector<CollectionForm::Place> places(const Schema& schema, TableNumber table,
                                          const StructLayout& layout) {
  std::vector<CollectionForm::Place> places;
  const Members members = schema.table(table).members;
  for (MemberNumber number = 0; number < members.size(); ++number) {
    const Member member = members[number];
    places.push_back({schema.place(table, number).column,
                      offsetOf(layout, member.name, member.type, member.extent), member.size()});
  }
  return places;
}

CollectionForm formOfObjects(const Schema& schema, TableNumber collection,
                             const ObjectStruct& object) {
  const std::string name(schema.table(collection).name);
  const auto tableNamed = [&](const std::string& member) {
    return schema.tableNamed(name + "." + member);
  };
  CollectionForm form{.name = name,
                      .table = collection,
                      // An empty struct has one byte in C++.
                      .rowBytes = std::max(object.layout.size(), 1U),
                      .members = places(schema, collection, object.layout),
                      .sides = {}};
  for (const std::string& relation : object.references) {
    CollectionForm::Side side{
        .table = tableNamed(relation), .rowBytes = referenceBytes, .members = {}};
    side.isOne = schema.table(side.table).kind == TableKind::oneRelation;
    if (!side.isOne)
      side.begin = sliceOf(object.layout, relation);
    form.sides.push_back(std::move(side));
  }
  for (const ObjectStruct::List& list : object.lists) {
    const TableNumber table = tableNamed(list.name);
    if (list.element.leaves.empty())
      fail(ErrorKind::version, "the struct in its list '", list.name, "' has no members");
    form.sides.push_back({.table = table,
                          .rowBytes = list.element.size(),
                          .members = places(schema, table, list.element),
                          .begin = sliceOf(object.layout, list.name)});
  }
  return form;
}

CollectionForm formOfNumbers(const Schema& schema, TableNumber collection) {
  const Table table = schema.table(collection);
  const std::uint32_t bytes = table.members[0].size();
  return {.name = std::string(table.name),
          .table = collection,
          .rowBytes = bytes,
          .members = {{schema.place(collection, 0).column, 0, bytes}},
          .sides = {}};
}

CollectionForm formOfSubset(const Schema& schema, TableNumber collection) {
  return {.name = std::string(schema.table(collection).name),
          .table = collection,
          .members = {},
          .sides = {
              {.table = collection + 1, .rowBytes = referenceBytes, .members = {}, .isOne = true}}};
}

} // namespace

CollectionForm formOf(const Schema& schema, TableNumber collection, const PodioType& type,
                      StoredStructs& structs) {
  if (type.isSubset)
    return formOfSubset(schema, collection);
  if (type.kind == PodioType::Kind::userData)
    return formOfNumbers(schema, collection);
  return formOfObjects(schema, collection,
                       type.kind == PodioType::Kind::link ? storedLink()
                                                          : structs.objectOf(type.name));
}

} // namespace kaon::sio::podio
