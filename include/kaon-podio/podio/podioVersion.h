#pragma once

#include <kaon/detail/model/PodioDefinition.h>

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>

// For code that depends on podio's version: `#if PODIO_BUILD_VERSION >= PODIO_VERSION(1, 0, 0)`.

#define PODIO_VERSION(major, minor, patch)                                                         \
  ((UINT64_C(major) << 32) | (UINT64_C(minor) << 16) | UINT64_C(patch))
#define PODIO_BUILD_VERSION PODIO_VERSION(1, 7, 0)

namespace podio::version {

struct Version {
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::uint16_t patch = 0;

  auto operator<=>(const Version&) const = default;
  explicit operator std::string() const {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
  }
  friend std::ostream& operator<<(std::ostream& out, const Version& version) {
    return out << std::string(version);
  }
};

/// The version of podio whose format kaon writes.
inline constexpr Version build_version{1, 7, 0};
static_assert(kaon::detail::writtenPodioVersion == "1.7.0", "the numbers above");

} // namespace podio::version
