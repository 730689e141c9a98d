#pragma once

#include <podio/ROOTWriter.h>

namespace podio {

class RNTupleWriter : public ROOTWriter {
public:
  using ROOTWriter::ROOTWriter;
};

} // namespace podio
