#include <kaon/dataset/ReadColumns.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

#include <string>

namespace kaon {
namespace {

/// Whether a column says which collections references lead to: by their tables' numbers.
bool isCollectionOfRelation(const Schema& schema, const ColumnPlace& place) {
  const TableKind kind = schema.table(place.table).kind;
  return place.member == relationCollection &&
         (kind == TableKind::oneRelation || kind == TableKind::manyRelation);
}

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

/// Expressions that follow relations know the numbers that tables have in the first file.
void checkSameCollections(const Source& source, const Schema& first) {
  for (std::uint32_t table = 0; table < first.size(); ++table)
    if (first.table(table).kind == TableKind::collection &&
        source.schema().findCollection(first.table(table).name) != table)
      fail(ErrorKind::type, source.name(), ": '", first.table(table).name,
           "' is not where it is in the first file of the dataset, so that relations cannot be "
           "followed in both; convert the files into one first");
}

} // namespace

std::vector<ColumnPlace> placesIn(const Source& source, std::span<const ReadColumn> columns,
                                  const Source& first) {
  std::vector<ColumnPlace> places;
  for (const ReadColumn& column : columns) {
    const ColumnPlace& place = places.emplace_back(placeIn(source, column.id, first.name()));
    if (column.id.isOptional) // what it is for looks at its type
      continue;
    if (!(place.type == column.type))
      fail(ErrorKind::type, source.name(), ": '", column.id.name, "' is ",
           withArticle(nameOf(place.type)), ", where it is ", withArticle(nameOf(column.type)),
           " in ", first.name());
    if (isCollectionOfRelation(source.schema(), place))
      checkSameCollections(source, first.schema());
  }
  return places;
}

} // namespace kaon
