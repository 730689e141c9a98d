#pragma once

#include <kaon/formats/root/objects/Classes.h>

#include <vector>

namespace kaon::root {

/// The classes that trees consist of, as a file with trees describes them.
[[nodiscard]] std::vector<ClassInfo> treeClasses();

} // namespace kaon::root
