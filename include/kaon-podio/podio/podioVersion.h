#pragma once

#include <kaon/detail/model/PodioDefinition.h>

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>

// For code that depends on podio's version: `#if PODIO_BUILD_VERSION >= PODIO_VERSION(1, 0, 0)`.

#define PODIO_VERSION(major, minor, patch)                                                         \
  ((UINT64_C(major) << 32) | (UINT64_C(minor) << 16) | UINT64_C(patch))
#define PODIO_MAJOR_VERSION(version) (((version) >> 32) & 0xffff)
#define PODIO_MINOR_VERSION(version) (((version) >> 16) & 0xffff)
#define PODIO_PATCH_VERSION(version) ((version)&0xffff)

// The version of podio whose format kaon writes.
#define podio_VERSION_MAJOR 1
#define podio_VERSION_MINOR 7
#define podio_VERSION_PATCH 0
#define podio_VERSION PODIO_VERSION(podio_VERSION_MAJOR, podio_VERSION_MINOR, podio_VERSION_PATCH)
#define PODIO_BUILD_VERSION podio_VERSION

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

/// Returns the version in a number like PODIO_BUILD_VERSION.
[[nodiscard]] consteval Version decode_version(std::uint64_t version) noexcept {
  return {static_cast<std::uint16_t>(PODIO_MAJOR_VERSION(version)),
          static_cast<std::uint16_t>(PODIO_MINOR_VERSION(version)),
          static_cast<std::uint16_t>(PODIO_PATCH_VERSION(version))};
}

inline constexpr Version build_version = decode_version(PODIO_BUILD_VERSION);
static_assert(kaon::detail::writtenPodioVersion == "1.7.0", "the numbers above");

} // namespace podio::version
