#pragma once

#include <kaon/formats/root/objects/Classes.h>

namespace kaon::root {

/// Classes of trees in old versions, which files describe differently from the bytes they contain,
/// or not at all: those of ROOT 3 and of ROOT 4 before 4.01.
[[nodiscard]] const Classes& oldTreeClasses();

/// Classes of trees for files that do not describe them: some writers leave them out, and no file
/// describes TBranchClones, which its own code writes.
[[nodiscard]] const Classes& usualTreeClasses();

} // namespace kaon::root
