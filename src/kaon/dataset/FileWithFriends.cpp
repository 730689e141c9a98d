#include <kaon/dataset/FileWithFriends.h>

#include <kaon/dataset/FriendSource.h>

#include <utility>

namespace kaon {

FileWithFriends::FileWithFriends(std::shared_ptr<const File> file, std::string category,
                                 std::vector<Friend> friends)
    : detail::WrappedFile(std::move(file)), m_category(std::move(category)),
      m_friends(std::move(friends)) {
  const Source* joined = &wrapped()->category(m_category);
  for (const Friend& each : m_friends) {
    const Source& partner = each.file->category(each.category);
    m_sources.push_back(std::make_unique<const detail::FriendSource>(
        *joined, partner, each.name,
        each.keys.empty()
            ? detail::Partners::byEntry(*joined, partner)
            : detail::Partners::byKeys(*joined, partner, each.keys, each.withoutPartner)));
    joined = m_sources.back().get();
  }
}

FileWithFriends::~FileWithFriends() = default;

const Source& FileWithFriends::category(std::string_view name) const {
  return name == m_category && !m_sources.empty() ? *m_sources.back() : wrapped()->category(name);
}

} // namespace kaon
