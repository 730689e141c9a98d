#include <kaon/object/GenericCollection.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace kaon {
namespace {

std::string text(Scalar scalar, std::uint32_t extent) {
  std::string all(nameOf(scalar));
  if (extent > 1)
    all.append(" * ").append(std::to_string(extent));
  return all;
}

/// Returns the number of the part with this name; messages call the part `what`.
template <class Parts>
std::uint32_t find(const Parts& all, std::string_view name, std::string_view of,
                   std::string_view what) {
  const auto place = std::ranges::find_if(all, [&](const auto& one) { return one.name == name; });
  if (place != all.end())
    return static_cast<std::uint32_t>(place - all.begin());
  std::vector<std::string> known;
  for (const auto& each : all)
    known.emplace_back(each.name);
  fail(ErrorKind::name, withArticle(of), " has no ", what, " '", name, "'",
       suggestion(name, known));
}

std::uint32_t leafNamed(std::span<const Leaf> leaves, std::string_view name, std::string_view of,
                        Scalar scalar, std::uint32_t extent) {
  const std::uint32_t number = find(leaves, name, of, "member");
  const Leaf& leaf = leaves[number];
  if (leaf.type != scalar || leaf.extent != extent)
    fail(ErrorKind::type, "'", name, "' of ", withArticle(of), " holds ",
         text(leaf.type, leaf.extent), ", not ", text(scalar, extent));
  return number;
}

void checkDepth(const Datatype& type, const VectorMember& vector, std::uint32_t depth) {
  if (vector.depth != depth)
    fail(ErrorKind::type, "the elements of '", vector.name, "' of ", withArticle(type.name),
         " are ",
         vector.depth == 0 ? std::string("no lists") : std::to_string(vector.depth) + " lists deep",
         ", not ", depth == 0 ? std::string("single values") : std::to_string(depth));
}

} // namespace

namespace detail {

std::uint32_t findLeaf(const Datatype& type, std::string_view name, Scalar scalar,
                       std::uint32_t extent) {
  return leafNamed(type.leaves, name, type.name, scalar, extent);
}

std::uint32_t findVector(const Datatype& type, std::string_view name) {
  return find(type.vectors, name, type.name, "vector member");
}

ElementLocator findElement(const Datatype& type, std::string_view name, std::uint32_t depth,
                           Scalar scalar, std::uint32_t extent) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::uint32_t number = findVector(type, name.substr(0, dot));
  const VectorMember& vector = type.vectors[number];
  if (vector.isString() || vector.holdsStrings())
    fail(ErrorKind::type, "'", name, "' of ", withArticle(type.name),
         " is of texts, not of numbers");
  checkDepth(type, vector, depth);
  const std::string_view member = name.substr(std::min(dot + 1, name.size()));
  return {number, leafNamed(vector.leaves, member, vector.type, scalar, extent)};
}

std::uint32_t findString(const Datatype& type, std::string_view name) {
  const std::uint32_t number = findVector(type, name);
  if (!type.vectors[number].isString())
    fail(ErrorKind::type, "'", name, "' of ", withArticle(type.name), " is not a string");
  return number;
}

std::uint32_t findStrings(const Datatype& type, std::string_view name, std::uint32_t depth) {
  const std::uint32_t number = findVector(type, name);
  if (!type.vectors[number].holdsStrings())
    fail(ErrorKind::type, "'", name, "' of ", withArticle(type.name),
         " is not a vector of strings");
  checkDepth(type, type.vectors[number], depth);
  return number;
}

std::uint32_t findRelation(const Datatype& type, std::string_view name, bool many) {
  const std::uint32_t number = find(type.relations, name, type.name, "relation");
  if (type.relations[number].many != many)
    fail(ErrorKind::type, "the relation '", name, "' of ", withArticle(type.name), " leads to ",
         many ? "one object" : "any number of objects");
  return number;
}

} // namespace detail

const Datatype& GenericObject::datatype() const {
  const detail::ObjectLocator object = place();
  if (!object)
    fail(ErrorKind::usage, "there is no object: the handle is empty");
  return object.data->type();
}

std::string_view GenericObject::getString(std::string_view member) const {
  return loadString(place(), detail::findString(datatype(), member));
}

std::size_t GenericObject::countOf(std::string_view vectorMember) const {
  const std::uint32_t vector = detail::findVector(datatype(), vectorMember);
  const detail::ObjectLocator object = place();
  const detail::Slice slice =
      object.data->slice(object.data->layout().vectorMember(vector), object.row);
  return slice.end - slice.begin;
}

GenericObject GenericObject::relatedOne(std::string_view relation) const {
  const std::uint32_t number = detail::findRelation(datatype(), relation, false);
  const detail::ObjectLocator object = place();
  const std::uint32_t first = object.data->layout().ones[number].first;
  return detail::objectAt<GenericObject>(object.data->follow(number, first, object.row));
}

RelationRange<GenericObject> GenericObject::related(std::string_view relation) const {
  const std::uint32_t number = detail::findRelation(datatype(), relation, true);
  const detail::ObjectLocator object = place();
  const detail::ObjectLayout::List& list = object.data->layout().manyRelation(number);
  return {object.data, number, list.first, object.data->slice(list, object.row)};
}

std::byte* MutableGenericObject::writableRow() const {
  const detail::ObjectLocator object = place();
  return object.data->writableRow(object.row);
}

void MutableGenericObject::set(std::string_view member, std::string_view text) {
  const std::uint32_t number = detail::findString(datatype(), member);
  const detail::ObjectLocator object = place();
  object.data->setString(object.data->layout().vectorMember(number), object.row, text);
}

void MutableGenericObject::add(std::string_view vectorMember, std::string_view text) {
  const std::uint32_t number = detail::findStrings(datatype(), vectorMember, 0);
  const detail::ObjectLocator object = place();
  object.data->addString(object.data->layout().vectorMember(number), object.row, text);
}

std::byte* MutableGenericObject::addElement(std::uint32_t vector) {
  const detail::ObjectLocator object = place();
  const detail::ObjectLayout::List& list = object.data->layout().vectorMember(vector);
  std::byte* const element = object.data->addElement(list, object.row);
  std::fill_n(element, list.elementSize, std::byte{});
  return element;
}

MutableGenericObject::Element MutableGenericObject::addElement(std::string_view vectorMember) {
  const std::uint32_t number = detail::findVector(datatype(), vectorMember);
  const VectorMember& vector = datatype().vectors[number];
  if (vector.isString() || vector.holdsStrings())
    fail(ErrorKind::type, "'", vectorMember, "' of ", withArticle(datatype().name),
         " is of texts: use add()");
  if (vector.depth > 0)
    fail(ErrorKind::type, "'", vectorMember, "' of ", withArticle(datatype().name),
         " is of lists: use add()");
  return {vector, addElement(number)};
}

std::uint32_t MutableGenericObject::Element::findLeaf(std::string_view member, Scalar type,
                                                      std::uint32_t extent) const {
  return leafNamed(m_type->leaves, member, m_type->type, type, extent);
}

void MutableGenericObject::relate(std::string_view relation, const Handle& object) {
  const Datatype& type = datatype();
  const std::uint32_t number = find(type.relations, relation, type.name, "relation");
  const Relation& info = type.relations[number];
  const detail::ObjectLocator target = object.place();
  const auto isTarget = [&](const detail::DatatypeFunction& datatype) {
    return &datatype() == &target.data->type();
  };
  if (target && !std::ranges::any_of(info.datatypes, isTarget))
    fail(ErrorKind::type, "the relation '", relation, "' of ", withArticle(type.name), " leads to ",
         withArticle(info.target), ", not to ", withArticle(target.data->type().name));
  const detail::ObjectLocator from = place();
  const detail::ObjectLayout& layout = from.data->layout();
  if (info.many)
    from.data->addToMany(layout.manyRelation(number), from.row, target);
  else
    from.data->setOne(layout.ones[number], from.row, target);
}

const Datatype& GenericCollection::datatype() const {
  const Datatype& type = data().type();
  return detail::isSubset(type) ? type.relations[0].datatypes[0]() : type;
}

detail::CollectionType GenericCollection::collectionType() const {
  return detail::genericCollectionType(datatype());
}

MutableGenericObject GenericCollection::create() {
  detail::CollectionData& objects = ownObjects("create");
  if (m_isView)
    fail(ErrorKind::usage, "a view of a collection cannot add objects to it");
  return {&objects, objects.create()};
}

void GenericCollection::push_back(const Handle& object) {
  if (m_isView || !isSubsetCollection())
    fail(ErrorKind::usage, "push_back is for subsets: create() makes objects");
  const detail::ObjectLocator place = object.place();
  if (!place || place.data->isLoose())
    fail(ErrorKind::usage, "cannot push_back an object that is in no collection into a subset");
  if (&place.data->type() != &datatype())
    fail(ErrorKind::type, "cannot push_back ", withArticle(place.data->type().name),
         " into a subset of ", datatype().name);
  data().setOne(data().layout().ones[0], data().create(), place);
}

detail::CollectionType detail::genericCollectionType(const Datatype& objects) {
  const bool areBare = objects.leaves.size() == 1 && objects.leaves[0].name.empty();
  return {.name = []() -> std::string_view { return "kaon::GenericCollection"; },
          .dataName = []() -> std::string_view { return ""; },
          .objects = &objects,
          .subset = areBare ? nullptr : &detail::subsetDatatype(objects),
          .makeEmpty = [](const Datatype& type) -> std::unique_ptr<CollectionBase> {
            return std::make_unique<GenericCollection>(type);
          },
          .makeView = [](detail::CollectionData& data) -> std::unique_ptr<CollectionBase> {
            return std::make_unique<GenericCollection>(data);
          }};
}

} // namespace kaon
