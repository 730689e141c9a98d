#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/CopiedClasses.h>
#include <kaon/formats/root/objects/RootObjectWriter.h>

#include <span>

namespace kaon::root {

/// Writes the classes that a file describes (its StreamerInfo record), which Classes reads.
/// Elements can be bases, numbers, counted arrays of numbers, strings, objects and pointers to
/// objects. `stored` are further classes, as other files describe them.
void putClasses(RootObjectWriter& writer, std::span<const ClassInfo> classes,
                const CopiedClasses& stored = {});

} // namespace kaon::root
