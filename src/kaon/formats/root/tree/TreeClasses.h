#pragma once

#include <kaon/formats/root/objects/Classes.h>

#include <vector>

namespace kaon::root {

/// Returns the classes of trees and their parts, as files with trees describe them.
[[nodiscard]] std::vector<ClassInfo> treeClasses();

} // namespace kaon::root
