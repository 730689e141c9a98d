#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kaon {

/// Gets what the library has to say that is no error: a file that was read in part. Any thread.
using WarningHandler = std::function<void(std::string_view message)>;

/// Replaces the handler, which writes to the standard error stream. An empty one silences it.
void setWarningHandler(WarningHandler handler);

/// Hands a message to the handler.
void warn(const std::string& message);

} // namespace kaon
