#include <kaon/dataset/ReadColumns.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

#include <string>

namespace kaon {
namespace {

detail::ColumnLocator placeIn(const Schema& schema, const detail::ColumnId& column) {
  return column.isListsOnly ? detail::listsPlace(schema, column.name)
                            : detail::columnPlace(schema, column.name);
}

/// Returns whether a source lacks the whole collection of a column in the first source.
bool lacksCollection(const Schema& schema, const detail::ColumnId& column, const Schema& first) {
  const Table root = first.table(first.rootOf(placeIn(first, column).table));
  return root.kind == TableKind::collection && schema.find(root.name) == Table::none;
}

detail::ColumnLocator placeIn(const Source& source, const ReadColumn& column, const Source& first) {
  const detail::ColumnId& id = column.id;
  try {
    return placeIn(source.schema(), id);
  } catch (const Error& error) {
    const bool isLacking = error.kind() == ErrorKind::name;
    if (isLacking && id.isOptional)
      return {.table = Table::none};
    if (isLacking && id.isFollowed && lacksCollection(source.schema(), id, first.schema()))
      return {.table = Table::none, .type = column.type};
    fail(error.kind(), source.name(), ": ", error.what(), ", unlike in ", first.name(),
         isLacking ? "; fallback() can give a number for it" : "");
  }
}

} // namespace

std::vector<detail::ColumnLocator>
placesIn(const Source& source, std::span<const ReadColumn> columns, const Source& first) {
  std::vector<detail::ColumnLocator> places;
  for (const ReadColumn& column : columns) {
    detail::ColumnLocator& place = places.emplace_back(placeIn(source, column, first));
    if (column.id.isOptional) // Its formula checks the type.
      continue;
    if (!(place.type == column.type))
      fail(ErrorKind::type, source.name(), ": '", column.id.name, "' is ",
           withArticle(nameOf(place.type)), ", but ", withArticle(nameOf(column.type)), " in ",
           first.name());
    if (place.table != Table::none)
      detail::renumber(place, source.schema(), first.schema());
  }
  return places;
}

} // namespace kaon
