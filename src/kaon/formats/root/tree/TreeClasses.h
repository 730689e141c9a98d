#pragma once

#include <kaon/formats/root/objects/Classes.h>

#include <vector>

namespace kaon::root {

/// Returns the classes of trees and their parts, as files with trees describe them.
[[nodiscard]] std::vector<ClassInfo> treeClasses();
/// Returns the class of a tree's friends.
[[nodiscard]] ClassInfo friendClass();

} // namespace kaon::root
