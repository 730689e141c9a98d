#pragma once

#include <kaon/io/ByteSource.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>

namespace kaon::python {

/// A file of so many bytes that Python reads: `fetch(ranges)` takes pairs of the first byte and the
/// one behind the last, and returns objects with just these bytes. It is called by any thread,
/// which then has the GIL.
[[nodiscard]] std::unique_ptr<io::ByteSource> pythonSource(std::string name, std::uint64_t size,
                                                           nanobind::callable fetch);

/// URLs are opened as kaon.files.distant says, by whatever takes paths.
void openUrlsByPython();

/// Files of tables are opened as kaon.files.table_files says, by whatever takes paths.
void openTablesByPython();

/// Before Python ends: they are read no more, and nothing is being fetched.
void endPythonSources();

} // namespace kaon::python
