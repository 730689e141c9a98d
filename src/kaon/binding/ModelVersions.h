#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/ModelMatch.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Returns the end of a message, "; the file is of version 3 of the model 'm', it is read with
/// version 2". Returns "" if the file does not state a version.
[[nodiscard]] std::string versionText(const File& file, const Datatype& type);

/// Returns the names of the datatypes that a relation of a datatype leads to, by the models in the
/// file. Returns no names if the models do not tell.
[[nodiscard]] std::vector<std::string> targetsOf(const File& file, std::string_view datatype,
                                                 std::string_view relation);

/// Warns of members that the file has and the datatype lacks: their data are not read. Warns of
/// each set of members once per program.
void warnOfUnread(const File& file, const Source& source, const Datatype& type,
                  std::span<const MemberChange> changes);

} // namespace kaon
