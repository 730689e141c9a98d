#include <kaon/detail/loop/BoundCategory.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/reading/EntryValue.h>
#include <kaon/event/StoredParameters.h>
#include <kaon/model/MemberTree.h>

#include <string>
#include <utility>

namespace kaon::loop {
namespace {

/// Returns "collection of test::Hit", "parameter of string", for messages.
std::string kindOf(const Schema& schema, std::uint32_t number) {
  const Table table = schema.table(number);
  if (table.kind == TableKind::collection)
    return "collection of " + std::string(table.type);
  const std::string type = StoredParameters::typeOf(schema, number);
  return "parameter of " + (type.empty() ? "records" : type);
}

/// Returns "; 'Hits' is made by an algorithm, and taken whole" for "Hits.energy".
std::string hintOf(const Schedule& schedule, std::string_view name) {
  for (const std::string& output : schedule.outputNames())
    if (name.starts_with(output + "."))
      return "; '" + output + "' is made by an algorithm, so take the whole collection";
  return {};
}

std::vector<std::string> namesOf(const Schema& schema, TableKind kind) {
  std::vector<std::string> names;
  for (const Table table : schema.tables())
    if (table.kind == kind)
      names.emplace_back(table.name);
  return names;
}

/// Throws Error(type) if the file has other data of this name. Throws Error(name) if neither the
/// file nor an algorithm has the input, unless it is optional. `known` are the names in the file
/// that could be this input.
InputOrigin missing(const Schedule& schedule, const Schema& schema, const InputInfo& info,
                    std::vector<std::string> known) {
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (schema.table(number).isRoot() && schema.table(number).name == info.name)
      fail(ErrorKind::type, "'", info.name, "' is ", withArticle(kindOf(schema, number)), ", not ",
           withArticle(typeOf(info)));
  if (info.isOptional)
    return InputOrigin::nothing;
  for (std::string& output : schedule.outputNames())
    known.push_back(std::move(output));
  fail(ErrorKind::name, "there is no '", info.name, "' in the file, and no algorithm makes it",
       suggestion(info.name, known), hintOf(schedule, info.name));
}

/// Whether a column can be read as a number: it has one value per entry, or one per object. In the
/// second case the entry must have exactly one object.
bool hasNumbers(const detail::ColumnLocator& place, Scalar scalar) {
  return place.type.scalar == scalar && place.type.depth <= 1 && place.extent == 1;
}

} // namespace

BoundCategory::BoundCategory(const Schedule& schedule, Category opened)
    : category(std::move(opened)) {
  checkOutputs(schedule);
  for (const Schedule::Input& input : schedule.inputs())
    try {
      inputs.push_back(bind(schedule, input));
    } catch (const Error& error) {
      fail(error.kind(), source().name(), ", ", schedule.nameOf(input.algorithm), ": ",
           error.what());
    }
}

void BoundCategory::checkOutputs(const Schedule& schedule) const {
  for (const Schedule::Output& output : schedule.outputs())
    for (const Table table : source().schema().tables())
      if (table.isRoot() && table.name == output.info->name)
        fail(ErrorKind::usage, source().name(), ": has a '", table.name, "' already, which ",
             schedule.nameOf(output.algorithm), " makes: one of them needs another name");
}

BoundCategory::Input BoundCategory::bind(const Schedule& schedule, const Schedule::Input& input) {
  if (input.output != Schedule::none)
    return {InputOrigin::algorithm, input.output};
  switch (input.info->kind) {
  case InputKind::collection:
    return {bindCollection(schedule, *input.info)};
  case InputKind::parameter:
    return {bindParameter(schedule, *input.info)};
  case InputKind::number:
  case InputKind::list:
    break;
  }
  const InputOrigin origin = bindColumn(schedule, *input.info);
  return {origin, origin == InputOrigin::column ? columns.size() - 1 : 0};
}

InputOrigin BoundCategory::bindCollection(const Schedule& schedule, const InputInfo& info) const {
  const Schema& schema = source().schema();
  const TableNumber number = schema.findCollection(info.name);
  if (number == Table::none)
    return missing(schedule, schema, info, namesOf(schema, TableKind::collection));
  const Table table = schema.table(number);
  const detail::CollectionType& type = *info.collection;
  if (!type.objects->isCalled(table.type) && !(type.subset && type.subset->isCalled(table.type)))
    fail(ErrorKind::type, "'", info.name, "' is a collection of ", table.type, ", not of ",
         type.objects->name);
  return InputOrigin::collection;
}

InputOrigin BoundCategory::bindColumn(const Schedule& schedule, const InputInfo& info) {
  const Schema& schema = source().schema();
  detail::ColumnLocator place;
  try {
    place = detail::columnPlace(schema, info.name);
    if (place.member != detail::ColumnLocator::noMember &&
        !presencesOf(schema, place.table, place.member).empty())
      fail(ErrorKind::type, "'", info.name,
           "' may be missing; take the collection, whose objects tell where it is present");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::name)
      throw;
    return missing(schedule, schema, info, schema.memberNames());
  }
  const bool isIt = info.kind == InputKind::list ? place.type.fits(info.column)
                                                 : hasNumbers(place, info.column.scalar);
  if (!isIt)
    fail(ErrorKind::type, "'", info.name, "' is ", withArticle(nameOf(place.type)), ", not ",
         withArticle(nameOf(info.column)));
  columns.push_back(std::move(place));
  return InputOrigin::column;
}

InputOrigin BoundCategory::bindParameter(const Schedule& schedule, const InputInfo& info) const {
  const Schema& schema = source().schema();
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (schema.table(table).name == info.name &&
        StoredParameters::typeOf(schema, table) == info.parameter)
      return InputOrigin::parameter;
  return missing(schedule, schema, info, namesOf(schema, TableKind::parameter));
}

} // namespace kaon::loop
