#include <kaon/batch/EntryValue.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/NamedMembers.h>

#include <utility>

namespace kaon {

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

ColumnPlace columnPlace(const Source& source, std::string_view name, ColumnType type) {
  ColumnPlace place = columnPlace(source, name);
  if (!place.type.fits(type))
    fail(ErrorKind::type, source.name(), ": '", name, "' is ", withArticle(nameOf(place.type)),
         ", which is read as ", cppNameOf(place.type), ", not as ", cppNameOf(type));
  return place;
}

void addRecordPlaces(const Source& source, std::string_view name,
                     std::span<const std::string_view> members, std::span<const ColumnType> types,
                     std::span<const std::uint32_t> extents, std::vector<ColumnPlace>& places) {
  const std::size_t first = places.size();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string full = std::string(name) + "." + std::string(members[i]);
    ColumnPlace place = columnPlace(source, full, types[i]);
    if (place.extent != extents[i])
      fail(ErrorKind::type, source.name(), ": '", full, "' has ", place.extent,
           " values in each row, and the member of the struct ", extents[i]);
    places.push_back(std::move(place));
    if (places.back().lists != places[first].lists)
      fail(ErrorKind::type, source.name(), ": '", full, "' lies in other lists than '", name, ".",
           members.front(), "'; a record has members of one table");
  }
}

} // namespace kaon
