#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Datatype.h>

#include <string>
#include <vector>

namespace kaon {

/// "; the file is of version 3 of the model 'm', it is read with version 2", "" if the file does
/// not say.
[[nodiscard]] std::string versionText(const File& file, const Datatype& type);

/// If the file's model is not older than the datatype's: warns, once for each file and datatype,
/// that these members are not read because the datatype does not have them.
void warnOfNewer(const File& file, const Source& source, const Datatype& type,
                 const std::vector<std::string>& members);

} // namespace kaon
