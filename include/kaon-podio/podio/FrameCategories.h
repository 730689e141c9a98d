#pragma once

/// The names of the usual categories.
namespace podio::Category {
inline constexpr const char* Event = "events";
inline constexpr const char* Run = "runs";
inline constexpr const char* Metadata = "metadata";
} // namespace podio::Category
