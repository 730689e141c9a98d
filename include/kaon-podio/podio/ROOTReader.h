#pragma once

#include <podio/FileReader.h>

namespace podio {

/// Reads files of any format; podio's class of this name reads TTrees.
class ROOTReader : public FileReader {};

} // namespace podio
