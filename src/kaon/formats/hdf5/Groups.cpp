#include <kaon/formats/hdf5/Groups.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>

#include <set>
#include <span>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::size_t mostObjects = std::size_t{1} << 20;
constexpr int mostGroupLevels = 64;

struct GroupListing {
  std::vector<GroupLink> links;
  bool isTooLong = false;
};

herr_t addLink(hid_t /*group*/, const char* name, const H5L_info_t* info, void* data) noexcept {
  auto& listing = *static_cast<GroupListing*>(data);
  if (listing.links.size() == mostObjects) {
    listing.isTooLong = true;
    return 1;
  }
  try {
    if (isUtf8(name))
      listing.links.push_back(info->type == H5L_TYPE_HARD ? GroupLink{name, true, info->u.address}
                                                          : GroupLink{name});
  } catch (...) {
    listing.isTooLong = true; // for the available memory
    return 1;
  }
  return 0;
}

class GroupWalk {
public:
  GroupWalk(hid_t file, SourceBytes& bytes, const std::string& where)
      : m_file(file), m_bytes(bytes), m_where(where) {}

  std::vector<Group> groups() {
    walk("", 0);
    return std::move(m_groups);
  }

private:
  void walk(const std::string& path, int level) {
    if (level > mostGroupLevels)
      fail(ErrorKind::corrupt, m_where, ": '", path, "' lies in more than ", mostGroupLevels,
           " groups; the file is damaged");
    const Hdf5Handle group(H5Gopen2(m_file, path.empty() ? "/" : path.c_str(), H5P_DEFAULT));
    if (!group.isOpen())
      failReading(m_where, "the group '" + path + "/' cannot be opened");
    Group contents{path, {}, {}};
    std::vector<std::string> below;
    std::vector<GroupLink> links = linksIn(group.get(), m_where + ": '" + path + "/'");
    expect(links);
    for (GroupLink& link : links) {
      H5O_info_t info{};
      if (!link.isHard) {
        contents.elsewhere.push_back(std::move(link.name));
        continue;
      }
      if (++m_objects > mostObjects)
        fail(ErrorKind::corrupt, m_where, ": has more than a million objects");
      if (H5Oget_info_by_name2(group.get(), link.name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) <
          0)
        failReading(m_where, "'" + path + '/' + link.name + "' cannot be read");
      if (info.type == H5O_TYPE_DATASET)
        contents.datasets.push_back(std::move(link.name));
      else if (info.type == H5O_TYPE_GROUP && m_known.insert(info.addr).second)
        below.push_back(path + '/' + link.name);
    }
    m_groups.push_back(std::move(contents));
    for (const std::string& next : below)
      walk(next, level + 1);
  }

  void expect(std::span<const GroupLink> links) {
    std::vector<std::uint64_t> places;
    for (const GroupLink& link : links)
      if (link.isHard)
        places.push_back(link.address);
    m_bytes.expect(places);
  }

  hid_t m_file;
  SourceBytes& m_bytes;
  const std::string& m_where;
  std::vector<Group> m_groups;
  std::set<haddr_t> m_known; // groups
  std::size_t m_objects = 0;
};

} // namespace

std::vector<GroupLink> linksIn(hid_t group, const std::string& where) {
  GroupListing listing;
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, addLink, &listing) < 0)
    failReading(where, "the names in this group cannot be read");
  if (listing.isTooLong)
    fail(ErrorKind::corrupt, where, ": has more than a million names");
  return std::move(listing.links);
}

std::vector<Group> groupsIn(hid_t file, SourceBytes& bytes, const std::string& where) {
  return GroupWalk(file, bytes, where).groups();
}

} // namespace kaon::hdf5
