#pragma once

#include <string_view>

namespace kaon::root {

/// Describes the bytes that the code of a class writes into trees, for classes whose bytes files do
/// not describe. `type` is the name of the class as in the file, or "Class.member" for one member.
/// The description is JSON, and its numbers are big-endian, as ROOT's:
///
///   kaon::root::interpret("JDAQHit", R"({"channel": "u1", "time": "<u4", "charge": "u1"})");
///
///   "i1", "i2", "i4", "i8"    signed integers
///   "u1", "u2", "u4", "u8"    unsigned integers
///   "f4", "f8", "bool"        other numbers; "<u4" is little-endian
///   "string"                  a text of ROOT: its length in one byte, or in four behind 255
///   {"x": "f4", "y": "f4"}    members, one after another
///   ["f4", 3]                 so many values
///   ["f4", "n"]               as many values as the member `n` before it says
///   ["f4", "u2"]              a count of type u2, then so many values
///   ["f4"]                    values up to the end of the entry, or of the next header's part
///
/// Names that begin with "@" are no columns:
///
///   "@rest": 6                six bytes that are skipped
///   "@n": "u4"                a number, for example one that counts values
///   "@base": {...}            members of the object itself
///   "@header": true           first in {...}: ROOT's header, the number of bytes and the version
///
/// The description applies to files that the process opens later, and precedes those in files. An
/// empty description removes it. Thread-safe. Throws Error(usage) for descriptions with mistakes.
void interpret(std::string_view type, std::string_view description);

} // namespace kaon::root
