#pragma once

#include <kaon/formats/sio/SioContents.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio {

/// The content of a SIO file, whichever program wrote it.
struct FileContent {
  std::string_view format; ///< "lcio"
  std::vector<std::string> categories;
  std::map<std::string, std::string, std::less<>> documents; ///< texts by name
  bool isCut = false;                                        ///< ends behind the header of an entry
  /// Opens a category. Throws Error(corrupt), Error(version), Error(io).
  std::function<std::unique_ptr<const SioContents>(std::string_view category)> open;
};

} // namespace kaon::sio
