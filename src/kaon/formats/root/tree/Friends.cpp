#include <kaon/formats/root/tree/Friends.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/RootObjectWriter.h>
#include <kaon/formats/root/tree/BuiltInClasses.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace kaon::root {
namespace {

constexpr std::string_view friendsMember = "fFriends";
constexpr std::size_t pointerBytes = sizeof(std::uint32_t);

/// The place in a tree's record where a friend is added.
struct FriendPlace {
  std::size_t begin = 0, end = 0;   ///< bytes that are replaced
  std::size_t count = 0;            ///< position of the number of friends; 0 without a list
  std::vector<std::size_t> lengths; ///< positions of the lengths of the objects around it
};

void putFriend(RootObjectWriter& writer, std::string_view path) {
  writer.pointTo("TFriendElement", [&] {
    writer.frame(2, [&] {
      writer.putNamed(nameInFolder(path), ""); // its name here; the file is the tree's
      writer.putString(path);
      writer.put(std::uint8_t{0}); // it has no file of its own
    });
  });
  writer.put(std::uint8_t{0}); // no option
}

/// Returns the end of the frame that begins at a position, or nothing if it is not stored.
std::optional<std::size_t> endOfFrame(BigEndianReader reader, std::size_t begin) {
  reader.seek(begin);
  return readFrame(reader).end;
}

/// Returns the position of the tag before an object behind a pointer: its length, then the number
/// or the name of its class.
std::optional<std::size_t> tagBefore(BigEndianReader reader, const Object& object) {
  for (const std::size_t bytes :
       {2 * pointerBytes, 2 * pointerBytes + object.className.size() + 1}) {
    if (object.begin < bytes)
      continue;
    reader.seek(object.begin - bytes);
    const auto length = reader.get<std::uint32_t>();
    if ((length & hasByteCount) != 0 && reader.position() + (length & ~hasByteCount) == object.end)
      return object.begin - bytes;
  }
  return std::nullopt;
}

FriendPlace placeIn(const BigEndianReader& reader, const Object& record, const Object& tree) {
  const std::string& where = reader.where();
  const auto& elements = tree.info->elements;
  const auto member = std::ranges::find(elements, friendsMember, &ElementInfo::name);
  const auto end = endOfFrame(reader, tree.begin);
  if (member == elements.end() || !end)
    fail(ErrorKind::usage, where, ": was written by a version of ROOT without friends of trees; ",
         "write the columns as a tree of their own");
  const auto number = static_cast<std::size_t>(member - elements.begin());
  const std::size_t behind = (elements.size() - number - 1) * pointerBytes;
  const Object* const list = tree.values[number].object;
  FriendPlace place;
  place.end = *end - std::min(*end, behind);
  place.begin = list ? place.end : place.end - std::min(place.end, pointerBytes);
  const auto rest = reader.bytes().subspan(place.begin, *end - place.begin);
  const bool isLast =
      std::ranges::all_of(rest, [](std::byte byte) { return byte == std::byte{0}; }) &&
      (!list || (list->end == place.end && list->className == "TList"));
  const auto tag = list ? tagBefore(reader, *list) : std::nullopt;
  if (!isLast || (list && !tag))
    fail(ErrorKind::usage, where, ": has further objects behind its list of friends, such as ",
         "user information, which kaon cannot move; write the columns as a tree of their own");
  place.lengths.push_back(tree.begin);
  if (record.begin != tree.begin)
    place.lengths.push_back(record.begin);
  if (!list)
    return place;
  BigEndianReader inList = reader;
  inList.seek(list->begin);
  const ObjectHeader frame = readFrame(inList);
  skipTObject(inList);
  (void)inList.getString();
  place.count = inList.position();
  place.lengths.push_back(*tag);
  if (frame.end)
    place.lengths.push_back(list->begin);
  return place;
}

Buffer withFriend(std::span<const std::byte> payload, const ListedObject& object,
                  const Classes& classes, const std::string& file, std::string_view path) {
  const BigEndianReader reader(payload, file + ": tree '" + object.name() + "'");
  RootObjectReader objects({&oldTreeClasses(), &classes, &usualTreeClasses()}, reader,
                           object.key.keyBytes);
  const Object& record = objects.read(object.key.className);
  const Object* const tree = record.part("TTree");
  if (!tree || !tree->info)
    fail(ErrorKind::version, reader.where(), ": has the class '", object.key.className,
         "', which is not a tree's");
  const FriendPlace place = placeIn(reader, record, *tree);

  RootObjectWriter added(object.key.keyBytes + place.begin);
  if (place.count > 0)
    putFriend(added, path);
  else
    added.pointTo("TList", [&] {
      added.frame(5, [&] {
        added.putObject();
        added.putString("");
        added.put(std::uint32_t{1});
        putFriend(added, path);
      });
    });
  BigEndianWriter changed;
  changed.putBytes(payload.first(place.begin));
  changed.putBytes(added.bytes());
  changed.putBytes(payload.subspan(place.end));
  const auto more = static_cast<std::uint32_t>(added.size() - (place.end - place.begin));
  const auto numberAt = [&](std::size_t position) {
    return loadBigEndian<std::uint32_t>(&payload[position]);
  };
  for (const std::size_t length : place.lengths) {
    if ((numberAt(length) & hasByteCount) == 0)
      reader.failHere("an object around the list of friends lacks its length");
    changed.replace(length, numberAt(length) + more);
  }
  if (place.count > 0)
    changed.replace(place.count, numberAt(place.count) + 1);
  Buffer bytes;
  bytes.append(changed.bytes());
  return bytes;
}

} // namespace

std::vector<std::string_view> friendsOf(const Object& tree) {
  std::vector<std::string_view> paths;
  for (const Object* const each : tree.list(friendsMember))
    if (each && each->className == "TFriendElement" && each->title.empty())
      paths.push_back(each->text("fTreeName"));
  return paths;
}

Buffer withFriends(const RootContainer& container, const ListedObject& object,
                   std::span<const std::string> paths) {
  const Classes classes(container);
  Buffer storage, payload;
  payload.append(container.payload(object.key, storage));
  for (const std::string& path : paths)
    payload = withFriend(payload.bytes(), object, classes, container.name(), path);
  return payload;
}

} // namespace kaon::root
