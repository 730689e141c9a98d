#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace kaon {

/// The kind of a warning, for programs; its message is for people.
enum class WarningKind : std::uint8_t {
  incompleteFile, ///< A file was cut, or is unfinished: its complete part is read.
  unreadMember,   ///< A file has a member that this program does not know.
  unusedOption,   ///< No written data has a name that a writer's options use.
  lostMetadata,   ///< Metadata of files cannot be read or merged, and are left out.
  severalTypes,   ///< A parameter was written with values of several types: each is a column.
  unwrittenFile,  ///< A snapshot was requested, but its result never used: there is no file.
  badFile,        ///< A file is left out: see OnBadFile.
  lostChange      ///< An object of a file was changed through a reference: the object is unchanged.
};

/// Called for each warning, from any thread.
using WarningHandler = std::function<void(WarningKind kind, std::string_view message)>;

/// Replaces the handler, which by default writes to the standard error stream. An empty one
/// silences warnings.
void setWarningHandler(WarningHandler handler);

/// Passes a warning to the handler.
void warn(WarningKind kind, const std::string& message);

} // namespace kaon
