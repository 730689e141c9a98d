#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/ObjectWriter.h>

#include <span>

namespace kaon::root {

/// Writes the list of classes that a file describes (its StreamerInfo record), which Classes reads.
/// Elements are bases, numbers, arrays of them with a counter, strings, objects and pointers to
/// them.
void putClasses(ObjectWriter& writer, std::span<const ClassInfo> classes);

} // namespace kaon::root
