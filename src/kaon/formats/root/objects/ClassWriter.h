#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/ObjectWriter.h>
#include <kaon/formats/root/objects/StoredClasses.h>

#include <span>

namespace kaon::root {

/// Writes the classes that a file describes (its StreamerInfo record), which Classes reads.
/// Elements can be bases, numbers, counted arrays of numbers, strings, objects and pointers to
/// objects. `stored` are further classes, as other files describe them.
void putClasses(ObjectWriter& writer, std::span<const ClassInfo> classes,
                const StoredClasses& stored = {});

} // namespace kaon::root
