#pragma once

#include <podio/Writer.h>

#include <string>

namespace podio {

/// Writes a file as podio does where the path ends in ".root", else what kaon::Writer makes of it.
class ROOTWriter : public Writer {
public:
  explicit ROOTWriter(const std::string& path)
      : Writer(path, path.ends_with(".root") ? "podio" : "") {}
};

} // namespace podio
