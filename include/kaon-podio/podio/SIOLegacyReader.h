#pragma once

#include <podio/FileReader.h>

namespace podio {

/// Reads files of any format.
class SIOLegacyReader : public FileReader {};

} // namespace podio
