#pragma once

#include <kaon/model/ModelDatatypes.h>

#include <string>
#include <string_view>

namespace kaon::sio::lcio {

/// The name of the model of LCIO's types; what its datatypes' names begin with.
inline constexpr std::string_view modelName = "lcio", typePrefix = "lcio::";

/// The document of the model that files of LCIO are of, which does not lie in them. Any thread.
[[nodiscard]] const std::string& modelText();
/// Its datatypes, which live as long as the program. Any thread.
[[nodiscard]] const ModelDatatypes& modelDatatypes();

} // namespace kaon::sio::lcio
