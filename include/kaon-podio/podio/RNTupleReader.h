#pragma once

#include <podio/FileReader.h>

namespace podio {

/// Reads files of any format; podio's class of this name reads RNTuples.
class RNTupleReader : public FileReader {};

} // namespace podio
