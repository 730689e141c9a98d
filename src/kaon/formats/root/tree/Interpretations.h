#pragma once

#include <kaon/formats/root/tree/Shape.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace kaon::root {

/// The layouts of types as users describe them, by the name of a class or of a member of one.
using Interpretations = std::map<std::string, ShapePart, std::less<>>;

/// Returns the interpretations at this time. Thread-safe.
[[nodiscard]] std::shared_ptr<const Interpretations> interpretations();

/// Returns the part for a description: see Interpretation.h. `type` is for messages. Throws
/// Error(usage).
[[nodiscard]] ShapePart interpretedPart(std::string_view type, std::string_view description);

} // namespace kaon::root
