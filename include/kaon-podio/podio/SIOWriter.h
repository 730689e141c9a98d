#pragma once

#include <podio/Writer.h>

#include <string>

namespace podio {

/// Writes podio's SIO format.
class SIOWriter : public Writer {
public:
  SIOWriter(const std::string& path) : Writer(path, "podio-sio") {}
};

} // namespace podio
