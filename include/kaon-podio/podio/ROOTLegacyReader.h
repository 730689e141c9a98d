#pragma once

#include <podio/FileReader.h>

namespace podio {

/// Reads files of any format.
class ROOTLegacyReader : public FileReader {};

} // namespace podio
