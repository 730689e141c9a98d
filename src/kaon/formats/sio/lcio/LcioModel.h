#pragma once

#include <kaon/model/ModelDatatypes.h>

#include <string>
#include <string_view>

namespace kaon::sio::lcio {

/// The name of the model of LCIO's types, and the prefix of its datatypes.
inline constexpr std::string_view modelName = "lcio", typePrefix = "lcio::";

/// Returns the model of LCIO's files as a document; the files do not contain it. Any thread may
/// call this.
[[nodiscard]] const std::string& modelText();
/// Returns its datatypes, which live as long as the program. Any thread may call this.
[[nodiscard]] const ModelDatatypes& modelDatatypes();

} // namespace kaon::sio::lcio
