#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Datatype.h>

#include <string>
#include <vector>

namespace kaon {

/// "; the file is of version 3 of the model 'm', it is read with version 2", "" if the file does
/// not say.
[[nodiscard]] std::string versionText(const File& file, const Datatype& type);

/// A list or relation that the datatype does not have, and those of its own that the file lacks and
/// that may be it, by another name.
struct Unread {
  std::string name;
  std::vector<std::string> lacking;
};

/// Warns, once for each file and datatype, that these members are not read because the datatype
/// does not have them: if the file's model is not older than the datatype's of all, else of those
/// that may have got another name, of which no migration tells.
void warnOfUnread(const File& file, const Source& source, const Datatype& type,
                  const std::vector<Unread>& members);

} // namespace kaon
