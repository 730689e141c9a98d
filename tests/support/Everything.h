#pragma once

#include "support/Contents.h"
#include "support/MemorySink.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace kaon::test {

/// All that is in a file.
struct Everything {
  std::map<std::string, Contents> categories;
  std::map<std::string, std::string> documents;
  friend bool operator==(const Everything&, const Everything&) = default;
};

[[nodiscard]] inline Everything everythingIn(const File& file) {
  Everything found;
  for (const std::string& name : file.categories()) {
    const Source& source = file.category(name);
    found.categories.emplace(name, contentsOf(source));
    for (std::uint32_t column = 0; column < source.schema().columns().size(); ++column)
      (void)source.usage(column);
  }
  for (const std::string& name : file.documents())
    found.documents.emplace(name, file.document(name));
  return found;
}

[[nodiscard]] inline Everything everythingIn(std::span<const std::byte> bytes) {
  return everythingIn(*openBytes(bytes));
}

} // namespace kaon::test
