#pragma once

#include <kaon/formats/root/objects/Classes.h>

#include <vector>

namespace kaon::root {

/// The classes of histograms, graphs and texts that kaon writes, as ROOT describes them. They also
/// describe objects in files without descriptions.
[[nodiscard]] const std::vector<ClassInfo>& histogramClassInfos();
[[nodiscard]] const Classes& histogramClasses();

} // namespace kaon::root
