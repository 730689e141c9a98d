#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace kaon {

/// The kind of an error, for programs; the message of an Error is for people.
enum class ErrorKind : std::uint8_t {
  io,      ///< The system refused to read or write.
  missing, ///< The file or folder does not exist.
  corrupt, ///< Bytes in a file contradict each other or their checksum.
  version, ///< This kaon cannot read the format or version of a file.
  name,    ///< Nothing has this name.
  type,    ///< The named thing has another type.
  usage,   ///< The call is wrong for any data.
  memory   ///< It needs more memory than there is, or than is allowed.
};

/// The only exception type of kaon. Control characters from names and texts in files are escaped in
/// its message, because terminals would obey them.
class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string& message);
  [[nodiscard]] ErrorKind kind() const noexcept { return m_kind; }

private:
  ErrorKind m_kind;
};

/// Throws an Error whose message is the concatenation of the parts.
template <class... Parts>
[[noreturn]] void fail(ErrorKind kind, Parts&&... parts) {
  std::ostringstream text;
  (text << ... << std::forward<Parts>(parts));
  throw Error(kind, text.str());
}

} // namespace kaon
