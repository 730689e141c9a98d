#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace kaon {

/// What went wrong, for programs; the message of an Error is for people.
enum class ErrorKind : std::uint8_t {
  io,      ///< the system refused to read or write
  missing, ///< there is no such file or folder
  corrupt, ///< bytes in a file contradict each other or their checksum
  version, ///< a file is of a format or version that this kaon does not read
  name,    ///< nothing has this name
  type,    ///< the thing has another type
  usage,   ///< the call does not make sense, whatever the data
  memory   ///< it would take more memory than there is, or than is allowed
};

/// The one exception type of kaon. Control characters of names and texts in files, which terminals
/// obey, are escaped in its message.
class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string& message);
  [[nodiscard]] ErrorKind kind() const noexcept { return m_kind; }

private:
  ErrorKind m_kind;
};

/// Throws an Error whose message is the given parts, one after another.
template <class... Parts>
[[noreturn]] void fail(ErrorKind kind, Parts&&... parts) {
  std::ostringstream text;
  (text << ... << std::forward<Parts>(parts));
  throw Error(kind, text.str());
}

} // namespace kaon
