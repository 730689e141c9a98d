#pragma once

#include "support/WholeSource.h"

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/ObjectStore.h>
#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// Functions of all fuzz targets. A target aborts if kaon breaks a promise, so that the fuzzer keeps
// the input.

namespace kaon::fuzz {

/// Reports a broken promise, and ends the program.
[[noreturn]] inline void breakOff(std::string_view promise, std::string_view details) {
  std::cerr << "broken promise: " << promise << ": " << details << std::endl;
  std::abort();
}

/// Calls `use`, which may throw only kaon's errors of these kinds. Their messages must begin with
/// `name`. Ignores warnings.
template <class Use>
void expectErrors(std::initializer_list<ErrorKind> kinds, std::string_view name, Use use) {
  [[maybe_unused]] static const bool isQuiet = (setWarningHandler({}), true);
  try {
    use();
  } catch (const Error& error) {
    if (std::ranges::find(kinds, error.kind()) == kinds.end())
      breakOff("the kind of the error fits", error.what());
    if (!std::string_view(error.what()).starts_with(name))
      breakOff("messages begin with the file", error.what());
  }
}

/// Opens and reads a file as a whole, or gets one clear error of these kinds.
template <class Open>
void readWhole(std::string_view name, Open open,
               std::initializer_list<ErrorKind> kinds = {ErrorKind::corrupt, ErrorKind::version}) {
  expectErrors(kinds, name, [&] {
    const auto file = open();
    for (const std::string& document : file->documents())
      (void)file->document(document);
    if (const ObjectStore* const objects = file->objectStore())
      for (const StoredObject& object : objects->objects())
        (void)objects->read(object.name);
    constexpr std::uint64_t mostEntries = 10'000; // zeros take no bytes
    for (const std::string& category : file->categories())
      if (const Source& source = file->category(category); source.entries() <= mostEntries)
        test::readAll(source);
  });
}

/// Returns the bytes of an input.
[[nodiscard]] inline std::span<const std::byte> bytesOf(const std::uint8_t* data,
                                                        std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// Returns the text of an input.
[[nodiscard]] inline std::string textOf(const std::uint8_t* data, std::size_t size) {
  return {data, data + size};
}

} // namespace kaon::fuzz
