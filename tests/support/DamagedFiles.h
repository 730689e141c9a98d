#pragma once

#include "support/Random.h"
#include "support/WholeSource.h"

#include <kaon/base/Error.h>
#include <kaon/batch/ObjectStore.h>
#include <kaon/batch/Source.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Files with any bytes are read, or refused with one clear error.

namespace kaon::test {

/// Reads all contents of a file opened by `open()`. Returns whether they could be read.
template <class Open>
bool survives(std::string_view name, Open open) {
  try {
    const auto file = open();
    for (const std::string& document : file->documents())
      (void)file->document(document);
    if (const ObjectStore* const objects = file->objectStore())
      for (const StoredObject& object : objects->objects())
        (void)objects->read(object.name);
    for (const std::string& category : file->categories()) {
      const Source& source = file->category(category);
      if (source.entries() > 100'000)
        return true; // for example, zeros take no bytes
      readAll(source);
    }
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::version)
        << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(name)) << error.what();
    return false;
  }
}

/// Changes a few of these bytes: often to 0xff, as in large numbers.
inline std::string withOtherBytes(std::string bytes, Random& random, std::size_t most = 3) {
  for (std::size_t n = 1 + random.below(most); n > 0; --n)
    bytes[random.below(bytes.size())] =
        random.chance(0.25) ? '\xff' : static_cast<char>(random.bits());
  return bytes;
}

/// Returns how often a file is refused after a few bytes were changed, and sometimes the end cut
/// off.
template <class Survives>
std::size_t refusals(const std::string& whole, std::size_t times, std::uint64_t seed,
                     Survives survives) {
  Random random(seed);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < times; ++i) {
    std::string bytes = withOtherBytes(whole, random);
    if (random.chance(0.1))
      bytes.resize(random.below(bytes.size()));
    refused += survives(bytes) ? 0 : 1;
  }
  return refused;
}

} // namespace kaon::test
