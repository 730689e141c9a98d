#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/objects/RootObjectReader.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Returns the paths of the trees that a tree names as friends (TTree::AddFriend) in its own file.
/// `tree` is the part of the object with the class TTree.
[[nodiscard]] std::vector<std::string_view> friendsOf(const Object& tree);

/// Returns the payload of a tree's record with further friends in the same file. Everything else
/// stays byte by byte. `paths` are those of the friends. Throws Error(usage) if a tree of this
/// version has no friends, or if objects lie behind its list of friends. Throws Error(corrupt),
/// Error(version).
[[nodiscard]] Buffer withFriends(const RootContainer& container, const ListedObject& tree,
                                 std::span<const std::string> paths);

} // namespace kaon::root
