#include <kaon/detail/reading/EntryValue.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/model/MemberTree.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {

std::string cppNameOf(ColumnType type) {
  constexpr std::string_view numbers[scalarKinds] = {
      "bool",          "std::int8_t",  "std::uint8_t",  "std::int16_t",
      "std::uint16_t", "std::int32_t", "std::uint32_t", "std::int64_t",
      "std::uint64_t", "float",        "double"};
  std::string name(type.isText ? "std::string_view"
                               : numbers[static_cast<std::size_t>(type.scalar)]);
  for (unsigned level = 0; level < type.lists(); ++level)
    name = "kaon::Array<" + name + ">";
  return name;
}

namespace {

/// Returns the C++ type for a column whose values may be missing; "" if it has more than one level
/// of lists, or strings.
std::string optionalNameOf(const ColumnLocator& place) {
  if (place.type.isText)
    return {};
  std::string name = cppNameOf({place.type.scalar, 0});
  if (place.isArray)
    name = "std::array<" + name + ", " + std::to_string(place.extent) + ">";
  name = "std::optional<" + name + ">";
  return place.lists.size() > 1 ? "" : place.lists.empty() ? name : "kaon::Array<" + name + ">";
}

std::vector<TableMember> presencesOf(const Source& source, const ColumnLocator& place) {
  return place.member == ColumnLocator::noMember
             ? std::vector<TableMember>{}
             : presencesOf(source.schema(), place.table, place.member);
}

/// Whether lists of the column, or its strings, may be missing.
bool mayLackLists(const Source& source, const ColumnLocator& place) {
  return std::ranges::any_of(presencesOf(source, place), [&](TableMember presence) {
    return !haveSameRows(source.schema(), presence.table, place.table);
  });
}

[[noreturn]] void failMissing(const Source& source, const ColumnLocator& place) {
  if (mayLackLists(source, place))
    fail(ErrorKind::type, source.name(), ": '",
         source.schema().nameInModel(place.table, place.member),
         "' may be missing as a whole; read it in expressions, with has() and default()");
  const std::string type = optionalNameOf(place);
  fail(ErrorKind::type, source.name(), ": '",
       source.schema().nameInModel(place.table, place.member), "' may be missing",
       type.empty() ? "; read the structs of its list" : "; read it as " + type);
}

/// Returns a column by a name as in expressions, batches and loops, without its presence.
ColumnLocator placeNamed(const Source& source, std::string_view name) {
  if (name.starts_with('#'))
    return columnPlace(source, name);
  return columnPlace(source.schema(), valueNamed(source, name), name);
}

[[noreturn]] void failType(const Source& source, std::string_view name, const ColumnLocator& place,
                           const std::string& wanted) {
  fail(ErrorKind::type, source.name(), ": '", name, "' is ", withArticle(nameOf(place.type)),
       ", which is read as ", cppNameOf(place.type), ", not as ", wanted);
}

} // namespace

ColumnLocator columnPlace(const Source& source, std::string_view name, ColumnType type) {
  ColumnLocator place = placeNamed(source, name);
  if (!presencesOf(source, place).empty())
    failMissing(source, place);
  if (!place.type.fits(type))
    failType(source, name, place, cppNameOf(type));
  return place;
}

ColumnLocator optionalPlace(const Source& source, std::string_view name, ColumnType rows,
                            std::uint32_t extent) {
  ColumnLocator place = placeNamed(source, name);
  place.presences = presencesOf(source, place);
  if (mayLackLists(source, place))
    failMissing(source, place);
  if (place.type.scalar != rows.scalar || place.lists.size() != rows.depth || place.type.isText ||
      place.extent != extent) {
    ColumnLocator wanted;
    wanted.type.scalar = rows.scalar;
    wanted.isArray = extent > 1;
    wanted.extent = extent;
    wanted.lists.resize(rows.depth);
    if (!place.presences.empty() && !optionalNameOf(place).empty())
      failMissing(source, place);
    failType(source, name, place, optionalNameOf(wanted));
  }
  return place;
}

void addRecordPlaces(const Source& source, std::string_view name,
                     std::span<const std::string_view> members, std::span<const ColumnType> types,
                     std::span<const std::uint32_t> extents, std::vector<ColumnLocator>& places) {
  const std::size_t first = places.size();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string full = std::string(name) + "." + std::string(members[i]);
    ColumnLocator place = columnPlace(source, full);
    const ColumnType rows = {place.type.scalar, static_cast<unsigned>(place.lists.size())};
    if (place.type.isText || !rows.fits(types[i]))
      failType(source, full, place, cppNameOf(types[i]));
    if (place.extent != extents[i])
      fail(ErrorKind::type, source.name(), ": '", full, "' has ", place.extent,
           " values in each row, but the member of the struct has ", extents[i]);
    places.push_back(std::move(place));
    if (places.back().lists != places[first].lists)
      fail(ErrorKind::type, source.name(), ": '", full, "' and '", name, ".", members.front(),
           "' are in different lists; the members of a record must come from one table");
  }
  const auto record = std::span(places).subspan(first);
  for (const ColumnLocator& place : record)
    for (const TableMember presence : presencesOf(source, place))
      if (std::ranges::none_of(record, [&](const ColumnLocator& other) {
            return presence == TableMember{other.table, other.member};
          }))
        fail(ErrorKind::type, source.name(), ": '",
             source.schema().nameInModel(place.table, place.member),
             "' may be missing, and the record has no member for '",
             source.schema().nameOfMember(presence.table, presence.member), "'");
}

} // namespace kaon::detail
