#include <kaon/dataset/ReadColumns.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

#include <string>

namespace kaon {
namespace {

ColumnPlace placeIn(const Source& source, const ColumnId& column, const std::string& first) {
  try {
    return column.isListsOnly ? listsPlace(source.schema(), column.name)
                              : columnPlace(source.schema(), column.name);
  } catch (const Error& error) {
    if (column.isOptional && error.kind() == ErrorKind::name)
      return {.table = Table::none};
    fail(error.kind(), source.name(), ": ", error.what(), ", as it is in ", first,
         error.kind() == ErrorKind::name ? "; fallback() can say a number for it" : "");
  }
}

} // namespace

std::vector<ColumnPlace> placesIn(const Source& source, std::span<const ReadColumn> columns,
                                  const Source& first) {
  std::vector<ColumnPlace> places;
  for (const ReadColumn& column : columns) {
    ColumnPlace& place = places.emplace_back(placeIn(source, column.id, first.name()));
    if (column.id.isOptional) // what it is for looks at its type
      continue;
    if (!(place.type == column.type))
      fail(ErrorKind::type, source.name(), ": '", column.id.name, "' is ",
           withArticle(nameOf(place.type)), ", where it is ", withArticle(nameOf(column.type)),
           " in ", first.name());
    renumber(place, source.schema(), first.schema());
  }
  return places;
}

} // namespace kaon
