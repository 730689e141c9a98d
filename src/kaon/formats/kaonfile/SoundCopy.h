#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/io/ByteSink.h>

#include <memory>

namespace kaon::kaonfile {

/// Writes all data of a salvaged file to a new one. Categories without damage are copied in stored
/// form, the others are encoded again.
void copySound(const SalvagedPart& part, std::unique_ptr<io::ByteSink> out,
               const Progress& progress = {});

} // namespace kaon::kaonfile
