#include <kaon/dataset/StoredFields.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace kaon {
namespace {

/// Finds a column of the first file in another file. Most files have the same table numbers.
arrow::WantedColumn columnIn(const Source& source, const Source& first,
                             arrow::WantedColumn column) {
  const Schema& schema = source.schema();
  const Table table = first.schema().table(column.table);
  std::uint32_t number = column.table;
  if (number >= schema.size() || schema.table(number).name != table.name)
    number = schema.find(table.name);
  if (number == Table::none)
    fail(ErrorKind::name, source.name(), ": has no '", table.name, "', but ", first.name(),
         " has it");
  if (column.member == arrow::noMember)
    return {number, arrow::noMember};
  const auto members = schema.table(number).members;
  const MemberNumber member = members.find(table.members[column.member].name);
  if (member >= members.size())
    fail(ErrorKind::name, source.name(), ": has no '",
         first.schema().nameOfMember(column.table, column.member), "', but ", first.name(),
         " has it");
  return {number, member};
}

/// Returns the column's name of a field. Elements of lists have the name of their list.
std::string nameIn(const arrow::ArrowField& above, const std::string& name,
                   const arrow::ArrowField& field) {
  if (above.kind != arrow::ArrowFieldKind::record)
    return name;
  return name.empty() ? field.name : name + "." + field.name;
}

/// Orders the fields as in the first file.
void arrange(arrow::ArrowField& field, const arrow::ArrowField& first, const std::string& name,
             const Source& source, const Source& firstSource) {
  bool isSame = field.kind == first.kind && field.type == first.type && field.size == first.size &&
                field.children.size() == first.children.size();
  for (std::size_t i = 0; isSame && i < first.children.size(); ++i) {
    const arrow::ArrowField& wanted = first.children[i];
    const auto place = field.children.begin() + static_cast<std::ptrdiff_t>(i);
    const auto match =
        std::ranges::find(place, field.children.end(), wanted.name, &arrow::ArrowField::name);
    isSame = match != field.children.end();
    if (!isSame)
      break;
    std::swap(*place, *match);
    arrange(*place, wanted, nameIn(first, name, wanted), source, firstSource);
  }
  if (!isSame)
    fail(ErrorKind::type, source.name(), ": '", name, "' is of another type than in ",
         firstSource.name());
}

} // namespace

StoredFields storedFields(const Source& source, std::vector<arrow::WantedColumn> columns) {
  arrow::ArrowField entry =
      arrow::entryField(source.schema(), columns, arrow::FieldNesting::records);
  return {std::move(columns), std::move(entry)};
}

StoredFields storedFields(const Source& source, const Source& first, const StoredFields& ofFirst) {
  std::vector<arrow::WantedColumn> columns;
  for (const arrow::WantedColumn& column : ofFirst.columns)
    columns.push_back(columnIn(source, first, column));
  StoredFields fields = storedFields(source, std::move(columns));
  arrange(fields.entry, ofFirst.entry, "", source, first);
  return fields;
}

} // namespace kaon
