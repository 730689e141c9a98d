#pragma once

#include <podio/Writer.h>

#include <string>

namespace podio {

/// Writes podio's format if the path ends in ".root", and otherwise the format that kaon::Writer
/// chooses.
class ROOTWriter : public Writer {
public:
  explicit ROOTWriter(const std::string& path)
      : Writer(path, path.ends_with(".root") ? "podio" : "") {}
};

} // namespace podio
