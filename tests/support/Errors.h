#pragma once

#include <kaon/base/Error.h>

#include <gtest/gtest.h>

#include <source_location>
#include <string>
#include <string_view>

namespace kaon {

/// Prints the name when a test fails.
inline std::ostream& operator<<(std::ostream& out, ErrorKind kind) {
  constexpr std::string_view names[] = {"io",   "missing", "corrupt", "version",
                                        "name", "type",    "usage",   "memory"};
  return out << names[static_cast<std::size_t>(kind)];
}

} // namespace kaon

namespace kaon::test {

/// Expects that a text, such as a message, contains `part`.
inline void expectContains(std::string_view text, std::string_view part,
                           std::source_location where = std::source_location::current()) {
  if (text.find(part) == std::string_view::npos)
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
        << "expected \"" << part << "\" in \"" << text << '"';
}

/// Expects that `call` throws an Error of this kind, whose message contains `part`.
template <class Call>
void expectError(ErrorKind kind, std::string_view part, Call call,
                 std::source_location where = std::source_location::current()) {
  const auto line = static_cast<int>(where.line());
  try {
    call();
  } catch (const Error& error) {
    if (error.kind() != kind || std::string_view(error.what()).find(part) == std::string::npos)
      ADD_FAILURE_AT(where.file_name(), line)
          << "expected Error(" << kind << ") with \"" << part << "\", got Error(" << error.kind()
          << "): " << error.what();
    return;
  }
  ADD_FAILURE_AT(where.file_name(), line)
      << "expected Error(" << kind << ") with \"" << part << "\", nothing was thrown";
}

} // namespace kaon::test
