#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/ModelMatch.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// "; the file is of version 3 of the model 'm', it is read with version 2", "" if the file does
/// not say.
[[nodiscard]] std::string versionText(const File& file, const Datatype& type);

/// The names of the datatypes that a relation of a datatype leads to, as the models that the file
/// carries say; empty if they do not.
[[nodiscard]] std::vector<std::string> targetsOf(const File& file, std::string_view datatype,
                                                 std::string_view relation);

/// Warns of members that the file has and the datatype does not: their data are not read. Each set
/// of members is told once a program.
void warnOfUnread(const File& file, const Source& source, const Datatype& type,
                  std::span<const MemberChange> changes);

} // namespace kaon
