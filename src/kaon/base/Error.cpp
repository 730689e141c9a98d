#include <kaon/base/Error.h>

#include <kaon/base/Wording.h>

namespace kaon {

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(escapeControls(message)), m_kind(kind) {}

} // namespace kaon
