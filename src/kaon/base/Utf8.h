#pragma once

#include <string_view>

namespace kaon {

/// Whether a text is UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool isUtf8(std::string_view text) noexcept;

} // namespace kaon
