#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace kaon {

/// What a warning is about, for programs; its message is for people.
enum class WarningKind : std::uint8_t {
  incompleteFile, ///< a file was cut, or is not finished: what is whole of it is read
  unreadMember,   ///< a file has a member that this program does not know
  unusedOption,   ///< a name in the options of a writer is that of nothing that was written
  lostMetadata,   ///< what files say about themselves cannot be read or merged, and is left out
  severalTypes,   ///< a parameter was written with values of several types: each is a column
  unwrittenFile   ///< a snapshot was asked for and nobody looked at it: there is no file
};

/// Gets what the library has to say that is no error. Any thread calls it.
using WarningHandler = std::function<void(WarningKind kind, std::string_view message)>;

/// Replaces the handler, which writes to the standard error stream. An empty one silences it.
void setWarningHandler(WarningHandler handler);

/// Hands a warning to the handler.
void warn(WarningKind kind, const std::string& message);

} // namespace kaon
