#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// Files of other programs. Small ones are part of the tests. Larger ones are in an optional folder:
// that of the environment variable KAON_SHARED, or `shared` beside the checkout.

namespace kaon::test {

/// Returns the path of a file in tests/data.
inline std::string dataFile(std::string_view name) {
  return (std::filesystem::path(KAON_TEST_DATA) / name).string();
}

/// Returns the path of a larger file by its path in the folder `data`; nothing if it is missing.
inline std::optional<std::string> sharedFile(std::string_view name) {
  const char* const named = std::getenv("KAON_SHARED");
  const std::filesystem::path folder =
      named ? std::filesystem::path(named)
            : std::filesystem::path(KAON_TEST_DATA) / "../../../shared";
  const std::filesystem::path path = folder / "data" / name;
  return std::filesystem::exists(path) ? std::optional(path.string()) : std::nullopt;
}

/// The reason to skip a test that needs larger files.
inline constexpr std::string_view noSharedFiles =
    "needs files that are not there: name the folder of shared files in KAON_SHARED";

} // namespace kaon::test
