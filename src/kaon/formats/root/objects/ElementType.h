#pragma once

#include <cstdint>

namespace kaon::root {

/// How a member is written (TStreamerElement::fType). A type of number plus 20 is an array of fixed
/// length; plus 40, an array with a counter.
enum ElementType : std::int32_t {
  suppressed = -1,
  baseClass = 0,
  charNumber = 1,
  shortNumber = 2,
  intNumber = 3,
  longNumber = 4,
  floatNumber = 5,
  counterNumber = 6,
  charPointer = 7,
  doubleNumber = 8,
  double32Number = 9,
  unsignedCharNumber = 11,
  unsignedShortNumber = 12,
  unsignedIntNumber = 13,
  unsignedLongNumber = 14,
  bitsNumber = 15,
  long64Number = 16,
  unsignedLong64Number = 17,
  boolNumber = 18,
  float16Number = 19,
  fixedArray = 20,
  countedArray = 40,
  object = 61,
  objectAny = 62,
  objectPointerNeverNull = 63,
  objectPointer = 64,
  tString = 65,
  tObject = 66,
  tNamed = 67,
  anyPointerNeverNull = 68,
  anyPointer = 69,
  objectArray = 81, // This type and the next ones: a type of object plus 20.
  objectAnyArray = 82,
  tStringArray = 85,
  anyPointerArray = 89,
  collection = 500,
  streamedMember = 500, ///< Written by the class's own code, or a collection in an old file.
  streamedArray = 501,  ///< Objects behind a counter.
  // Numbers of kaon, for arrays in old versions of TBranch that no file describes correctly.
  positionArray = 1001, ///< With a counter. Values have 8 bytes behind a flag of 2, else 4.
  sizedArray = 1002     ///< Array of ints after its length.
};

} // namespace kaon::root
