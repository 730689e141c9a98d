#pragma once

#include <kaon/io/ByteSource.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>

namespace kaon::python {

/// Returns a file of `size` bytes that Python reads. `fetch(ranges)` takes pairs (first byte, byte
/// after the last) and returns one object with exactly these bytes for each pair. Any thread may
/// call it, and then holds the GIL.
[[nodiscard]] std::unique_ptr<io::ByteSource> pythonSource(std::string name, std::uint64_t size,
                                                           nanobind::callable fetch);

/// Makes every function that takes paths open URLs with kaon.files.distant.
void openUrlsByPython();

/// Makes every function that takes paths open table files with kaon.files.table_files.
void openTablesByPython();

/// Ends reading through Python, and waits for running requests. Call it before Python ends.
void endPythonSources();

} // namespace kaon::python
